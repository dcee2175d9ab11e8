import { z } from 'zod'
import { successId } from '../../../contract/fields.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { mostTeams, teamName } from './schema.ts'

export const createTeam: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/team',
    {
      config: { permissions: ['team_write'], access: 'person' },
      schema: {
        operationId: 'createTeam',
        summary: 'Create a team',
        description: `The caller owns the team. If the caller already owns a team of this name, that team is returned. To act for the team, create a key
with its id as \`team_id\` (POST /api/v0/auth/apikeys). A person can own ${mostTeams} teams.`,
        tags: ['team'],
        body: z.object({ team_name: teamName }),
        response: { 200: successId },
      },
    },
    async ({ caller, body }) => {
      const id = await withAccount({ ...companion, caller }, caller.accountId, async (person) => {
        const { rows } = await person.client.query<{ id: number }>('team/create', [
          person.id,
          body.team_name,
          mostTeams,
        ])
        if (!rows[0]) throw invalidArgs(`A person can own at most ${mostTeams} teams`)
        return rows[0].id
      })
      return { success: true as const, id }
    },
  )
}
