import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { changeableMember } from './members.ts'
import { done } from './schema.ts'

export const removeMember: CompanionRoute = async (app, companion) => {
  app.delete(
    '/api/v0/team/members/:id',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          403: "A person's key, the owner, the caller, or a member whose role allows more than the key: `forbidden`",
          404: 'The team has no such member: `not_found`',
        },
      },
      schema: {
        operationId: 'removeTeamMember',
        summary: 'Remove a member from the team',
        description: `The member's keys for the team end at once and stay invalid, also if the member joins again. Jobs that the member wrote for the team are stopped.`,
        tags: ['team'],
        params: z.object({ id: z.string().describe('User id of the member') }),
        response: { 200: done },
      },
    },
    async ({ caller, params }) => {
      await withAccount({ ...companion, caller }, caller.accountId, async (team) => {
        const userId = idOf(params.id)
        await changeableMember(team, caller, userId)
        await team.client.query('team/remove_member', [team.id, userId])
      })
      return { success: true as const, status: 'success' as const, message: 'The member is removed.' }
    },
  )
}
