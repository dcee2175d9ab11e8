import { z } from 'zod'
import { epochOut } from '../../../contract/fields.ts'
import type { CompanionRoute } from '../context.ts'

const invitation = z.object({
  email: z.string(),
  role: z.string().nullable().describe('The role that the person gets by joining; null: none'),
  created_at: epochOut,
  expires_at: epochOut,
})

export const listInvitations: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/invitations',
    {
      // The permission is not team_read: addresses are shown only to members who may invite.
      config: { permissions: ['team_write'], access: 'team' },
      schema: {
        operationId: 'listTeamInvitations',
        summary: 'List open invitations',
        description:
          'The invitations of the team that were not accepted yet and have not expired, oldest first.',
        tags: ['team'],
        response: { 200: z.array(invitation) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof invitation>>('team/invitations', [
        caller.accountId,
      ])
      return rows
    },
  )
}
