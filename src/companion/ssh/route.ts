import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Postgres } from '../../platform/postgres.ts'
import { loadSql } from '../../platform/sql.ts'

const sshKey = z.object({
  id: z.int(),
  user_id: z.int(),
  public_key: z.string(),
  created_at: z.number().describe('Unix seconds'),
  deleted_at: z.null().describe('Deleted keys are not listed'),
})

/** GET /api/v0/ssh (SPEC.md, endpoint 10). */
export const sshRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.get(
    '/api/v0/ssh',
    {
      config: { permissions: ['user_read'] },
      schema: {
        summary: 'SSH keys of the account',
        description:
          'All active SSH public keys of the account that the key acts for, in the order they were added.',
        tags: ['account'],
        response: { 200: z.array(sshKey) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof sshKey>>(loadSql('postgres/queries/ssh_keys'), [
        caller.accountId,
      ])
      return rows
    },
  )
}
