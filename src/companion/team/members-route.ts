import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { forbidden, invalidArgs, notFound } from '../../platform/errors.ts'
import { covers, permissionsObject } from '../../platform/permissions.ts'
import { transaction } from '../../platform/postgres.ts'
import { id, idOf } from '../../platform/schemas.ts'
import { loadSql } from '../../platform/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { teamOf } from './caller.ts'
import { type Member, member, type Role } from './schema.ts'

/** POST /api/v0/team/members/{id}/roles (SPEC.md, endpoint 6), and listing and adding members (ours). */
export const teamMembersRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres }) => {
  app.post(
    '/api/v0/team/members/:id/roles',
    {
      config: {
        permissions: ['team_write'],
        errors: {
          400: '`invalid_args`: the role `owner`, or a member that has a role already',
          403: "A person's key, or a role that allows more than the key: `forbidden`",
          404: 'Unknown role or member: `not_found`',
        },
      },
      schema: {
        summary: 'Give a team member a role',
        description:
          "For a team's key, and a member that has no role yet. Of several equal requests at once one succeeds.",
        tags: ['team'],
        params: z.object({ id: z.string().describe('User id of the member') }),
        body: z.object({
          role: z.string().trim().min(1).max(50).describe('Name of a role of the team; not `owner`'),
        }),
        response: { 200: z.object({ msg: z.literal('success') }) },
      },
    },
    async ({ caller, params, body }) => {
      const team = teamOf(caller)
      if (body.role.toLowerCase() === 'owner') throw invalidArgs('The role owner can not be assigned')
      const { rows } = await postgres.query<Role>(loadSql('postgres/queries/team_role'), [
        body.role,
        team,
        team,
      ])
      const [role] = rows
      if (!role) throw notFound('Role not found')
      if (!covers(caller.permissions, permissionsObject.parse(role.permissions)))
        throw forbidden('This role allows more than your own')
      const { rows: assigned } = await postgres.query<{ is_member: boolean; done: boolean }>(
        loadSql('postgres/queries/team_assign'),
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
      config: { permissions: ['team_read'] },
      schema: {
        summary: 'Members of the team',
        description: "For a team's key: the owner first, then in the order they joined.",
        tags: ['team'],
        response: { 200: z.array(member) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<Member>(loadSql('postgres/queries/team_members'), [
        teamOf(caller),
      ])
      return rows
    },
  )

  app.post(
    '/api/v0/team/members',
    {
      config: { permissions: ['team_write'], errors: { 404: 'There is no such user: `not_found`' } },
      schema: {
        summary: 'Add a member to the team',
        description:
          "For a team's key: a user, by id or by verified e-mail address, becomes a member without a role, who may do nothing yet. Repeating it changes nothing.",
        tags: ['team'],
        body: z
          .object({ user_id: id.nullish(), email: z.string().trim().max(254).nullish() })
          .refine(({ user_id, email }) => user_id != null || !!email, {
            error: 'Send a user_id or an email',
          }),
        response: { 200: z.object({ success: z.literal(true), id: z.int().describe('User id') }) },
      },
    },
    async ({ caller, body }) => {
      const team = teamOf(caller)
      const userId = await transaction(postgres, async (client) => {
        const { rows } = await client.query<{ id: number }>(
          `SELECT id FROM accounts
           WHERE kind = 'person' AND CASE WHEN $1::int IS NULL THEN lower(email) = lower($2) AND email_verified ELSE id = $1 END`,
          [body.user_id ?? null, body.email ?? null],
        )
        if (!rows[0]) throw notFound('There is no such user')
        await client.query(
          `INSERT INTO team_members (team_id, user_id) SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
           ON CONFLICT DO NOTHING`,
          [team, rows[0].id],
        )
        return rows[0].id
      })
      return { success: true as const, id: userId }
    },
  )
}
