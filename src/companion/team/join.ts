import { z } from 'zod'
import { id, success } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import { acting } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { CompanionRoute } from '../context.ts'

export const joinTeam: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/team/join',
    {
      config: {
        permissions: ['team_write'],
        access: 'person',
        errors: { 404: "The team has not invited the person's verified address: `not_found`" },
      },
      schema: {
        operationId: 'joinTeam',
        summary: 'Accept an invitation to a team',
        description:
          'The person becomes a member, with the role of the invitation if it has one. A repeated request has no effect.',
        tags: ['team'],
        body: z.object({ team_id: id }),
        response: { 200: success },
      },
    },
    async ({ caller, body }) => {
      const { rows } = await acting(postgres, caller).query<{ is_member: boolean }>('team/join', [
        body.team_id,
        caller.accountId,
      ])
      if (!one(rows).is_member) throw notFound('There is no such invitation')
      return { success: true as const }
    },
  )
}
