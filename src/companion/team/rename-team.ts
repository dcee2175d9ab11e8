import { z } from 'zod'
import { successMessage } from '../../../contract/fields.ts'
import { forbidden, invalidArgs } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { teamName } from './schema.ts'

export const renameTeam: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/team',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: { 403: "A person's key, or the key of a member who is not the owner: `forbidden`" },
      },
      schema: {
        operationId: 'renameTeam',
        summary: 'Rename the team',
        description:
          'Only the owner can. The name must differ from the names of the other teams of the owner.',
        tags: ['team'],
        body: z.object({ team_name: teamName }),
        response: { 200: successMessage },
      },
    },
    async ({ caller, body }) => {
      await withAccount({ ...companion, caller }, caller.createdBy, async (owner) => {
        const { rows } = await owner.client.query<{ is_owner: boolean; done: boolean }>('team/rename', [
          caller.accountId,
          owner.id,
          body.team_name,
        ])
        const { is_owner, done } = one(rows)
        if (!is_owner) throw forbidden('Only the owner can rename the team')
        if (!done) throw invalidArgs('You own another team of this name')
      })
      return { success: true as const, msg: 'The team is renamed.' }
    },
  )
}
