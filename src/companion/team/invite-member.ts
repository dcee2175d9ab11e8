import { z } from 'zod'
import { invalidArgs } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { invitationLimits } from '../outbox/limits.ts'
import { writeMessage } from '../outbox/write.ts'

const mostInvitations = 100

export const inviteMember: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/team/members',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          429: 'Too many invitations, by the person or to the address: `too_many_requests`. See the header Retry-After',
        },
      },
      schema: {
        summary: 'Invite a member to the team',
        description: `Sends a mail to the address. The person whose verified address it is can then join (POST /api/v0/team/join), and is a member without a role
and without permissions until a role is assigned. The answer is the same whether or not an account has this address. An invitation is valid for
seven days; a repeated request meanwhile has no effect. A team can have ${mostInvitations} open invitations.

${invitationLimits}`,
        tags: ['team'],
        body: z.object({ email: z.email().max(254) }),
        response: { 200: z.object({ success: z.literal(true), msg: z.string() }) },
      },
    },
    async ({ caller, body }) => {
      const email = body.email.toLowerCase()
      const invited = await withAccount(companion, caller.accountId, async (team) => {
        const { rows } = await team.client.query<{ name: string; invited: boolean; too_many: boolean }>(
          loadSql('postgres/queries/team/invite'),
          [team.id, email, mostInvitations],
        )
        const { name, invited, too_many } = one(rows)
        if (too_many) throw invalidArgs(`A team can have at most ${mostInvitations} open invitations`)
        if (invited)
          await writeMessage(team, {
            ...invitationMail(name, team.id),
            sender: caller.createdBy,
            recipient: email,
            isOwn: false,
          })
        return invited
      })
      if (invited) companion.onOutbox()
      return { success: true as const, msg: 'Invitation sent.' }
    },
  )
}

/** A stranger wrote the team's name: it appears in quotes, and only in the text. */
const invitationMail = (team: string, teamId: number) => ({
  kind: 'invitation' as const,
  channel: 'email' as const,
  subject: 'You are invited to a team on rackrate',
  text: `The team ${JSON.stringify(team)} invites you. To join, send {"team_id": ${teamId}} to POST /api/v0/team/join with an API key of yours.`,
  usefulFor: 7 * 86_400,
})
