import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { id, idOf } from '../../../contract/fields.ts'
import { permissionsObject } from '../../../contract/permissions.ts'
import { forbidden, invalidArgs, notFound } from '../../../platform/errors.ts'
import { covers } from '../../../platform/security/permissions.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { type Message, writeMessage } from '../outbox/write.ts'
import { type Member, member, type Role } from './schema.ts'

const mostInvitations = 100

/** POST /api/v0/team/members/{id}/roles (SPEC.md, endpoint 6), and listing, inviting and joining (ours). */
export const teamMembersRoute: FastifyPluginAsyncZod<CompanionOptions> = async (
  app,
  { postgres, vault, onOutbox },
) => {
  app.post(
    '/api/v0/team/members/:id/roles',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          400: '`invalid_args`: the role `owner`, or a member that has a role already',
          403: "A person's key, or a role that allows more than the key: `forbidden`",
          404: 'Unknown role or member: `not_found`',
        },
      },
      schema: {
        summary: 'Give a team member a role',
        description: 'The member must not have a role yet. Of several equal requests at once one succeeds.',
        tags: ['team'],
        params: z.object({ id: z.string().describe('User id of the member') }),
        body: z.object({
          role: z.string().trim().min(1).max(50).describe('Name of a role of the team; not `owner`'),
        }),
        response: { 200: z.object({ msg: z.literal('success') }) },
      },
    },
    async ({ caller, params, body }) => {
      const team = caller.accountId
      if (body.role.toLowerCase() === 'owner') throw invalidArgs('The role owner can not be assigned')
      const { rows } = await postgres.query<Role>(loadSql('postgres/queries/team/role'), [
        body.role,
        team,
        team,
      ])
      const [role] = rows
      if (!role) throw notFound('Role not found')
      if (!covers(caller.permissions, permissionsObject.parse(role.permissions)))
        throw forbidden('This role allows more than your own')
      const { rows: assigned } = await postgres.query<{ is_member: boolean; done: boolean }>(
        loadSql('postgres/queries/team/assign_role'),
        [team, idOf(params.id), role.id],
      )
      if (!assigned[0]?.is_member) throw notFound('There is no such team member')
      if (!assigned[0].done) throw invalidArgs('The member has a role already')
      return { msg: 'success' as const }
    },
  )

  app.get(
    '/api/v0/team/members',
    {
      config: { permissions: ['team_read'], access: 'team' },
      schema: {
        summary: 'Members of the team',
        description: 'The owner first, then in the order they joined.',
        tags: ['team'],
        response: { 200: z.array(member) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<Member>(loadSql('postgres/queries/team/members'), [
        caller.accountId,
      ])
      return rows
    },
  )

  app.post(
    '/api/v0/team/members',
    {
      config: { permissions: ['team_write'], access: 'team' },
      schema: {
        summary: 'Invite a member to the team',
        description: `Whoever has this address, verified, gets a mail and may join (POST /api/v0/team/join); then they are a member without a
role, who may do nothing yet. The answer is the same whether anybody has it. An invitation is good for seven days; repeating it meanwhile
changes nothing. At most ${mostInvitations} wait at once.`,
        tags: ['team'],
        body: z.object({ email: z.email().max(254) }),
        response: { 200: z.object({ success: z.literal(true), msg: z.string() }) },
      },
    },
    async ({ caller, body }) => {
      const team = caller.accountId
      const email = body.email.toLowerCase()
      const invited = await transaction(postgres, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          'SELECT name FROM accounts WHERE id = $1 FOR UPDATE',
          [team],
        )
        const { rows: made } = await client.query<{ invited: boolean; too_many: boolean }>(
          loadSql('postgres/queries/team/invite'),
          [team, email, mostInvitations],
        )
        if (made[0]?.too_many) throw invalidArgs(`At most ${mostInvitations} invitations`)
        if (made[0]?.invited)
          await writeMessage(client, vault, invitationMail(email, rows[0]?.name ?? '', team))
        return made[0]?.invited
      })
      if (invited) onOutbox()
      return { success: true as const, msg: 'Invitation sent.' }
    },
  )

  app.post(
    '/api/v0/team/join',
    {
      config: {
        permissions: ['team_write'],
        access: 'person',
        errors: { 404: 'No invitation to this team for the verified address: `not_found`' },
      },
      schema: {
        summary: 'Accept an invitation to a team',
        description: "From then on the team's owner can give them a role. Repeating it changes nothing.",
        tags: ['team'],
        body: z.object({ team_id: id }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, body }) => {
      const { rows } = await postgres.query<{ is_member: boolean }>(loadSql('postgres/queries/team/join'), [
        body.team_id,
        caller.accountId,
      ])
      if (!rows[0]?.is_member) throw notFound('There is no such invitation')
      return { success: true as const }
    },
  )
}

/** The team's name is written by strangers: it stands in quotes, and nowhere but in the text. */
const invitationMail = (recipient: string, team: string, teamId: number): Message => ({
  channel: 'email',
  recipient,
  subject: 'You are invited to a team on rackrate',
  text: `The team ${JSON.stringify(team)} invites you. To join: POST /api/v0/team/join with {"team_id": ${teamId}} and an API key of yours.`,
  usefulFor: 7 * 86_400,
})
