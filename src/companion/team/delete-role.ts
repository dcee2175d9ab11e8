import { z } from 'zod'
import { id } from '../../../contract/fields.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { requireChangeable, teamRole } from './roles.ts'
import { done } from './schema.ts'

export const deleteRole: CompanionRoute = async (app, companion) => {
  app.delete(
    '/api/v0/team/roles/:id',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          403: "A person's key, a built-in role, the caller's own role, or a role that allows more than the key: `forbidden`",
          404: 'The team has no such role: `not_found`',
        },
      },
      schema: {
        operationId: 'deleteTeamRole',
        summary: 'Delete a team role',
        description:
          'Members with the role remain members without a role. They have no permissions until they get another one.',
        tags: ['team'],
        params: z.object({ id: z.string().describe('The name of the role') }),
        body: z
          .object({ role_id: id.nullish().describe('The id of the role. Overrides the name') })
          .nullish(),
        response: { 200: done },
      },
    },
    async ({ caller, params, body }) => {
      await withAccount({ ...companion, caller }, caller.accountId, async (team) => {
        const wanted = body?.role_id ? { id: body.role_id } : { name: params.id }
        const role = await teamRole(team, caller, wanted)
        requireChangeable(caller, role)
        await team.client.query('team/delete_role', [team.id, role.id])
      })
      return { success: true as const, status: 'success' as const, message: 'The role is deleted.' }
    },
  )
}
