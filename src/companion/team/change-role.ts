import { z } from 'zod'
import { idOf, successMessage } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { builtInRoles, requireChangeable, requireCovers, teamRole } from './roles.ts'
import { newRole } from './schema.ts'

export const changeRole: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/team/roles/:id',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          403: "A person's key, a built-in role, the caller's own role, or permissions before or after the change that exceed those of the key: `forbidden`",
          404: 'The team has no role with this id: `not_found`',
        },
      },
      schema: {
        operationId: 'changeTeamRole',
        summary: 'Change a team role',
        description: `Sets the permissions, and the name if given. The change takes effect for members with the role within three seconds.`,
        tags: ['team'],
        params: z.object({ id: z.string().describe('The id of the role, not its name') }),
        body: newRole.extend({ name: newRole.shape.name.nullish() }),
        response: { 200: successMessage },
      },
    },
    async ({ caller, params, body }) => {
      const roleId = idOf(params.id)
      if (roleId === undefined) throw notFound('Role not found')
      await withAccount({ ...companion, caller }, caller.accountId, async (team) => {
        const role = await teamRole(team, caller, { id: roleId })
        requireChangeable(caller, role)
        requireCovers(caller, body.permissions)
        const name = body.name ?? role.name
        if (builtInRoles.includes(name.toLowerCase())) throw invalidArgs(`${name} is a built-in role`)
        const { rowCount } = await team.client.query('team/change_role', [
          team.id,
          role.id,
          name,
          body.permissions,
        ])
        if (rowCount === 0) throw invalidArgs('The team already has a role of this name')
      })
      return { success: true as const, msg: 'The role is changed.' }
    },
  )
}
