import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { forbidden, invalidArgs, notFound } from '../../../platform/errors.ts'
import { covers } from '../../../platform/security/permissions.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { builtInRoles, newRole, type Role, role } from './schema.ts'

const mostRoles = 200

/** GET /api/v0/team/roles/{id} (SPEC.md, endpoint 9), and listing and making roles (ours). */
export const teamRolesRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/roles/:id',
    {
      config: { permissions: ['team_read'], errors: { 404: '`not_found`, `Role not found`' } },
      schema: {
        summary: 'A team role by name',
        description:
          "`id` is the role's name. A team's key sees the roles of the team, a person's key those of the teams the person owns or belongs " +
          'to; the built-in roles owner, manager and member are there for everybody. Any other name is 404 `Role not found`.',
        tags: ['team'],
        params: z.object({ id: z.string() }),
        response: { 200: role },
      },
    },
    async ({ params, caller }) => {
      // PostgreSQL has no text with a NUL in it, so no role is called that.
      const { rows } = params.id.includes('\0')
        ? { rows: [] }
        : await postgres.query<Role>(loadSql('postgres/queries/team/role'), [
            params.id,
            caller.accountId,
            caller.createdBy,
          ])
      const [found] = rows
      if (!found) throw notFound('Role not found')
      return found
    },
  )

  app.get(
    '/api/v0/team/roles',
    {
      config: { permissions: ['team_read'], access: 'team' },
      schema: {
        summary: 'Roles of the team',
        description: "The built-in roles, then the team's own in the order they were made.",
        tags: ['team'],
        response: { 200: z.array(role) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<Role>(loadSql('postgres/queries/team/roles'), [caller.accountId])
      return rows
    },
  )

  app.post(
    '/api/v0/team/roles',
    {
      config: { permissions: ['team_write'], access: 'team' },
      schema: {
        summary: 'Make a team role',
        description: 'A role cannot allow more than the key that makes it, and its name is new to the team.',
        tags: ['team'],
        body: newRole,
        response: { 200: z.object({ success: z.literal(true), id: z.int() }) },
      },
    },
    async ({ caller, body }) => {
      const team = caller.accountId
      if (builtInRoles.includes(body.name.toLowerCase())) throw invalidArgs(`${body.name} is a built-in role`)
      if (!covers(caller.permissions, body.permissions))
        throw forbidden('A role can not allow more than your own')
      const { rows } = await postgres.query<{ id: number | null; too_many: boolean }>(
        loadSql('postgres/queries/team/make_role'),
        [team, body.name, body.permissions, mostRoles],
      )
      const [{ id, too_many }] = rows as [(typeof rows)[number]]
      if (id === null)
        throw invalidArgs(too_many ? `At most ${mostRoles} roles` : 'The team has a role of this name')
      return { success: true as const, id }
    },
  )
}
