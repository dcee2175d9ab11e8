import { z } from 'zod'
import { id, success } from '../../../contract/fields.ts'
import { forbidden, notFound } from '../../../platform/errors.ts'
import { type CompanionRoute, withAccount } from '../context.ts'

export const leaveTeam: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/team/leave',
    {
      config: {
        permissions: ['team_write'],
        access: 'person',
        errors: {
          403: 'The person owns the team: `forbidden`',
          404: 'The person is not a member of the team: `not_found`',
        },
      },
      schema: {
        operationId: 'leaveTeam',
        summary: 'Leave a team',
        description: `The person's keys for the team end at once, and jobs that the person wrote for the team are stopped. The owner cannot leave, but can delete the
team.`,
        tags: ['team'],
        body: z.object({ team_id: id }),
        response: { 200: success },
      },
    },
    async ({ caller, body }) => {
      const ids = [body.team_id, caller.accountId]
      const noTeam = () => notFound('There is no such team')
      // Only a team that is there can be locked.
      if ((await companion.postgres.query('team/member', ids)).rowCount === 0) throw noTeam()
      await withAccount({ ...companion, caller }, body.team_id, async (team) => {
        const { rows } = await team.client.query<{ is_owner: boolean }>('team/member', ids)
        if (!rows[0]) throw noTeam()
        if (rows[0].is_owner) throw forbidden('The owner cannot leave the team')
        await team.client.query('team/remove_member', ids)
      })
      return { success: true as const }
    },
  )
}
