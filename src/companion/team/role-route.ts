import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { notFound } from '../../platform/errors.ts'
import type { Postgres } from '../../platform/postgres.ts'
import { loadSql } from '../../platform/sql.ts'

const role = z.object({
  id: z.int(),
  name: z.string(),
  permissions: z
    .record(z.string(), z.unknown())
    .describe('`{"api": {"<category>": {}}}`, like the permissions of a key'),
})

/** GET /api/v0/team/roles/{id} (SPEC.md, endpoint 9). */
export const teamRoleRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/roles/:id',
    {
      config: { permissions: ['team_read'] },
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
        : await postgres.query<z.infer<typeof role>>(loadSql('postgres/queries/team_role'), [
            params.id,
            caller.accountId,
            caller.createdBy,
          ])
      const [found] = rows
      if (!found) throw notFound('Role not found')
      return found
    },
  )
}
