import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { invalidArgs } from '../../../platform/errors.ts'
import { accountTransaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'

const mostTeams = 10

/** POST /api/v0/team: how a team begins. Ours, not in SPEC.md. */
export const teamRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres }) => {
  app.post(
    '/api/v0/team',
    {
      config: { permissions: ['team_write'], access: 'person' },
      schema: {
        summary: 'Make a team',
        description: `The person who asks owns it; a team of theirs with this name comes back as it is. Make a key for it with \`team_id\` at POST /api/v0/auth/apikeys. At most ${mostTeams}.`,
        tags: ['team'],
        body: z.object({ team_name: z.string().trim().min(1).max(200) }),
        response: { 200: z.object({ success: z.literal(true), id: z.int() }) },
      },
    },
    async ({ caller, body }) => {
      const id = await accountTransaction(postgres, caller.accountId, async (client) => {
        const { rows } = await client.query<{ id: number }>(loadSql('postgres/queries/team/make'), [
          caller.accountId,
          body.team_name,
          mostTeams,
        ])
        if (!rows[0]) throw invalidArgs(`At most ${mostTeams} teams`)
        return rows[0].id
      })
      return { success: true as const, id }
    },
  )
}
