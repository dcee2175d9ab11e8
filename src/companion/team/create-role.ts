import { successId } from '../../../contract/fields.ts'
import { forbidden, invalidArgs } from '../../../platform/errors.ts'
import { covers } from '../../../platform/security/permissions.ts'
import { acting } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { CompanionRoute } from '../context.ts'
import { builtInRoles } from './roles.ts'
import { newRole } from './schema.ts'

const mostRoles = 200

export const createRole: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/team/roles',
    {
      config: { permissions: ['team_write'], access: 'team' },
      schema: {
        operationId: 'createTeamRole',
        summary: 'Create a team role',
        description: `A role cannot allow more than the key that creates it. Its name must be new to the team. A team can have ${mostRoles} roles.`,
        tags: ['team'],
        body: newRole,
        response: { 200: successId },
      },
    },
    async ({ caller, body }) => {
      if (builtInRoles.includes(body.name.toLowerCase())) throw invalidArgs(`${body.name} is a built-in role`)
      if (!covers(caller.permissions, body.permissions))
        throw forbidden('A role cannot allow more than your own key')
      const { rows } = await acting(postgres, caller).query<{ id: number | null; too_many: boolean }>(
        'team/create_role',
        [caller.accountId, body.name, body.permissions, mostRoles],
      )
      const { id, too_many } = one(rows)
      if (id === null)
        throw invalidArgs(
          too_many
            ? `A team can have at most ${mostRoles} roles`
            : 'The team already has a role of this name',
        )
      return { success: true as const, id }
    },
  )
}
