import { z } from 'zod'
import { notFound } from '../../../platform/errors.ts'
import { isStorable } from '../../../platform/text.ts'
import type { CompanionRoute } from '../context.ts'
import { type Role, role } from './schema.ts'

export const getRole: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/roles/:id',
    {
      config: { permissions: ['team_read'], errors: { 404: '`not_found`, `Role not found`' } },
      schema: {
        operationId: 'getTeamRole',
        summary: 'Get a team role by name',
        description: `A team's key finds the roles of the team, a person's key finds the roles of the teams that the person owns or belongs to. Every key finds the
built-in roles \`owner\`, \`manager\` and \`member\`.`,
        tags: ['team'],
        params: z.object({ id: z.string().describe('The name of the role') }),
        response: { 200: role },
      },
    },
    async ({ params, caller }) => {
      // Names of roles cannot contain such characters.
      if (!isStorable(params.id)) throw notFound('Role not found')
      const { rows } = await postgres.query<Role>('team/role', [
        params.id,
        caller.accountId,
        caller.createdBy,
      ])
      if (!rows[0]) throw notFound('Role not found')
      return rows[0]
    },
  )
}
