import { z } from 'zod'
import { id, successMessage } from '../../../contract/fields.ts'
import { forbidden, invalidArgs } from '../../../platform/errors.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { mostTeams } from './schema.ts'

export const transferTeam: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/team/transfer',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          400: '`invalid_args`: the new owner is not a manager of the team, or owns too many teams',
          403: "A person's key, or a key whose holder does not own the team: `forbidden`",
        },
      },
      schema: {
        operationId: 'transferTeam',
        summary: 'Transfer the team to another owner',
        description: `Only the owner can. The new owner must be a member with the role \`manager\`. The previous owner stays as a manager. A repeated
request returns 403, since the team then has another owner.`,
        tags: ['team'],
        body: z.object({ new_team_owner_id: id.describe('User id of a manager of the team') }),
        response: { 200: successMessage },
      },
    },
    async ({ caller, body: { new_team_owner_id: heir } }) => {
      await withAccount({ ...companion, caller }, caller.accountId, async ({ id, client }) => {
        const own = 'SELECT FROM teams WHERE account_id = $1 AND owner_id = $2'
        if ((await client.query(own, [id, caller.createdBy])).rowCount === 0)
          throw forbidden('Only the owner can transfer the team')
        const transfer = 'team/transfer'
        if ((await client.query(transfer, [id, caller.createdBy, heir, mostTeams])).rowCount === 0)
          throw invalidArgs('The new owner must be a manager of this team, and must not own too many teams')
      })
      return { success: true as const, msg: 'The team has a new owner.' }
    },
  )
}
