import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import type { CompanionRoute } from '../context.ts'

const team = named('Team', {
  id: z.int(),
  team_name: z.string(),
  role: z.string().nullable().describe("The person's role; null: no role yet"),
  created_at: epochOut,
})

export const listTeams: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team',
    {
      config: { permissions: ['team_read'], access: 'person' },
      schema: {
        operationId: 'listTeams',
        summary: 'List teams',
        description: 'The teams that the person owns or belongs to, oldest first.',
        tags: ['team'],
        response: { 200: z.array(team) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof team>>('team/list', [caller.accountId])
      return rows
    },
  )
}
