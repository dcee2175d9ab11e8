import { z } from 'zod'
import { id, idOf } from '../../../contract/fields.ts'
import { forbidden, invalidArgs } from '../../../platform/errors.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { changeableMember } from './members.ts'
import { requireCovers, teamRole } from './roles.ts'
import { role } from './schema.ts'

export const changeMemberRole: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/team/members/:id/roles',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          400: '`invalid_args`: the member has this role already',
          403: "A person's key, the owner, the caller's own membership, or a role before or after the change that allows more than the key: `forbidden`",
          404: 'Unknown role or member: `not_found`',
        },
      },
      schema: {
        operationId: 'changeTeamMemberRole',
        summary: "Change a team member's role",
        description:
          "Changes the member's role, or assigns the first one. The change takes effect for the member's keys within three seconds.",
        tags: ['team'],
        params: z.object({ id: z.string().describe('User id of the member') }),
        body: z.object({
          member_id: id.nullish().describe('The same id as in the path'),
          role_id: id.describe('Id of a role of the team; not `owner`'),
        }),
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            new_role_permissions: role.shape.permissions,
          }),
        },
      },
    },
    async ({ caller, params, body }) => {
      const userId = idOf(params.id)
      if (body.member_id && body.member_id !== userId)
        throw invalidArgs('member_id differs from the id in the path')
      const permissions = await withAccount({ ...companion, caller }, caller.accountId, async (team) => {
        const member = await changeableMember(team, caller, userId)
        const role = await teamRole(team, caller, { id: body.role_id })
        if (role.is_built_in && role.name === 'owner') throw forbidden('The role owner cannot be assigned')
        requireCovers(caller, role.permissions)
        if (member.role_id === role.id) throw invalidArgs('The member already has this role')
        await team.client.query('team/change_member_role', [team.id, userId, role.id])
        return role.permissions
      })
      return { success: true as const, msg: 'The role is changed.', new_role_permissions: permissions }
    },
  )
}
