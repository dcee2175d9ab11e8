import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { type Role, role } from './schema.ts'

const fullRole = role.extend({
  identifier: z.string().nullable().describe('The name of a built-in role; null: a role of the team'),
})

export const listRolesFull: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/roles-full',
    {
      config: { permissions: ['team_read'], access: 'team' },
      schema: {
        operationId: 'listAssignableTeamRoles',
        summary: 'List the roles that members can have',
        description: 'The roles of the team without `owner`, which cannot be assigned.',
        tags: ['team'],
        response: { 200: z.array(fullRole) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<Role & { is_built_in: boolean }>('team/roles', [caller.accountId])
      return rows
        .filter(({ name, is_built_in }) => !is_built_in || name !== 'owner')
        .map(({ is_built_in, ...role }) => ({ ...role, identifier: is_built_in ? role.name : null }))
    },
  )
}
