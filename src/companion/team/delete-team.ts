import { z } from 'zod'
import { successMessage } from '../../../contract/fields.ts'
import { forbidden, invalidArgs, notFound } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'

export const deleteTeam: CompanionRoute = async (app, companion) => {
  app.delete(
    '/api/v0/team',
    {
      config: {
        permissions: ['team_write'],
        errors: {
          400: '`invalid_args`: the team has machines, or rents instances or volumes',
          403: 'The key of a member who is not the owner: `forbidden`',
          404: "A person's key: `not_found`",
        },
      },
      schema: {
        operationId: 'deleteTeam',
        summary: 'Delete the team',
        description: `Only the owner can, with a key of the team. The team must have no machines, running instances or volumes. Its memberships, roles, invitations,
keys, scheduled jobs, alert rules, templates, SSH keys and cloud connections end; copies that are not finished are cancelled.`,
        tags: ['team'],
        body: z.object({}).nullish(),
        response: { 200: successMessage },
      },
    },
    async ({ caller }) => {
      if (caller.kind !== 'team') throw notFound('This key is not of a team')
      await withAccount({ ...companion, caller }, caller.accountId, async ({ id, client }) => {
        const { rowCount } = await client.query('SELECT FROM teams WHERE account_id = $1 AND owner_id = $2', [
          id,
          caller.createdBy,
        ])
        if (rowCount === 0) throw forbidden('Only the owner can delete the team')
        const { rows } = await client.query<{ is_used: boolean }>('team/delete', [id])
        if (one(rows).is_used) throw invalidArgs('The team has machines, or rents instances or volumes')
      })
      return { success: true as const, msg: 'The team is deleted.' }
    },
  )
}
