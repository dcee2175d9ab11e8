import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { type Role, role } from './schema.ts'

export const listRoles: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/roles',
    {
      config: { permissions: ['team_read'], access: 'team' },
      schema: {
        operationId: 'listTeamRoles',
        summary: 'List the roles of the team',
        description: "The built-in roles, then the team's own roles in the order they were created.",
        tags: ['team'],
        response: { 200: z.array(role) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<Role>('team/roles', [caller.accountId])
      return rows
    },
  )
}
