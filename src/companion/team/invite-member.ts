import { z } from 'zod'
import { day } from '../../../contract/durations.ts'
import { successMessage } from '../../../contract/fields.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { invitationLimits } from '../outbox/limits.ts'
import { writeMessage } from '../outbox/write.ts'
import { givableRole } from './roles.ts'

const mostInvitations = 100

const invitation = z.object({
  email: z.email().max(254).nullish(),
  role: z.string().trim().min(1).max(50).nullish().describe('Name of a role of the team; not `owner`'),
})

interface Invited {
  name: string
  invited: boolean
  too_many: boolean
  is_member: boolean
}

export const inviteMember: CompanionRoute = async (app, companion) => {
  const operations = [
    ['/api/v0/team/members', 'inviteTeamMember'],
    ['/api/v0/team/invite', 'inviteToTeam'],
  ] as const
  for (const [path, operationId] of operations)
    app.post(
      path,
      {
        config: {
          permissions: ['team_write'],
          access: 'team',
          errors: {
            400: '`invalid_args`: no `email`, a member already, the role `owner`, or too many open invitations',
            403: "A person's key, or a role that allows more than the key: `forbidden`",
            404: 'The team has no such role: `not_found`',
            429: 'Too many invitations, by the person or to the address: `too_many_requests`. See the header Retry-After',
          },
        },
        schema: {
          operationId,
          summary: 'Invite a member to the team',
          description: `Sends mail to the address. The person who owns that verified address can then join (POST /api/v0/team/join) and gets the
\`role\` of the invitation. Without one, the member has no permissions until a role is assigned. The answer is the same whether or not an account has this address. An invitation is valid for
seven days; a repeated request meanwhile has no effect. A team can have ${mostInvitations} open invitations.

${invitationLimits}`,
          tags: ['team'],
          querystring: invitation.describe('The fields may be in the query or in the body'),
          body: invitation.nullish(),
          response: { 200: successMessage },
        },
      },
      async ({ caller, query, body }) => {
        const email = (query.email ?? body?.email)?.toLowerCase()
        const roleName = query.role ?? body?.role
        if (!email) throw invalidArgs('email is required')
        const invited = await withAccount({ ...companion, caller }, caller.accountId, async (team) => {
          const role = roleName ? await givableRole(team, caller, { name: roleName }) : undefined
          const { rows } = await team.client.query<Invited>('team/invite', [
            team.id,
            email,
            mostInvitations,
            role?.id ?? null,
          ])
          const { name, invited, too_many, is_member } = one(rows)
          if (is_member) throw invalidArgs('The holder of this address is a member of the team')
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

/** The team's name was written by a stranger: it appears in quotes, and only in the text. */
const invitationMail = (team: string, teamId: number) => ({
  kind: 'invitation' as const,
  channel: 'email' as const,
  subject: 'You are invited to a team on rackrate',
  text: `The team ${JSON.stringify(team)} invites you. To join, send {"team_id": ${teamId}} to POST /api/v0/team/join with an API key of yours.`,
  usefulFor: 7 * day,
})
