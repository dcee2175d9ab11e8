import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { givableRole } from './roles.ts'

export const assignRole: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/team/members/:id/roles',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: {
          400: '`invalid_args`: the role is `owner`, or the member already has a role',
          403: "A person's key, or a role that allows more than the key: `forbidden`",
          404: 'Unknown role or member: `not_found`',
        },
      },
      schema: {
        operationId: 'assignTeamRole',
        summary: 'Assign a role to a team member',
        description: 'The member must not have a role yet. One of several concurrent requests succeeds.',
        tags: ['team'],
        params: z.object({ id: z.string().describe('User id of the member') }),
        body: z.object({
          role: z.string().trim().min(1).max(50).describe('Name of a role of the team; not `owner`'),
        }),
        response: { 200: z.object({ msg: z.literal('success') }) },
      },
    },
    async ({ caller, params, body }) => {
      await withAccount({ ...companion, caller }, caller.accountId, async (team) => {
        const role = await givableRole(team, caller, { name: body.role })
        const { rows } = await team.client.query<{ is_member: boolean; done: boolean }>('team/assign_role', [
          team.id,
          idOf(params.id),
          role.id,
        ])
        const { is_member, done } = one(rows)
        if (!is_member) throw notFound('There is no such team member')
        if (!done) throw invalidArgs('The member already has a role')
      })
      return { msg: 'success' as const }
    },
  )
}
