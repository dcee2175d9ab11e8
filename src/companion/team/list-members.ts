import { z } from 'zod'
import { epochOut } from '../../../contract/fields.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionRoute } from '../context.ts'

const member = z.object({
  id: z.int().describe('User id'),
  username: z.string(),
  email: z.string().nullable(),
  role: z.string().nullable().describe('null: no role yet'),
  joined_at: epochOut,
})

export const listMembers: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/members',
    {
      config: { permissions: ['team_read'], access: 'team' },
      schema: {
        summary: 'List the members of the team',
        description: 'The owner first, then the others in the order they joined.',
        tags: ['team'],
        response: { 200: z.array(member) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof member>>(
        loadSql('postgres/queries/team/members'),
        [caller.accountId],
      )
      return rows
    },
  )
}
