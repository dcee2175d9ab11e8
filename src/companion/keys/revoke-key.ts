import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Revoked } from '../../../platform/security/api-keys.ts'
import { acting } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { scopeOf } from './keys.ts'

export const revokeApiKey: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/auth/apikeys/:id',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: 'The person has no such valid key: `not_found`' },
      },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'Within three seconds, requests with the key return 401. Scheduled jobs that the key wrote are stopped.',
        tags: ['api keys'],
        params: z.object({ id: z.string() }),
        response: {
          200: z.object({
            success: z.literal(true),
            stopped_jobs: z.array(z.int()).describe('Ids of the scheduled jobs that were stopped'),
          }),
        },
      },
    },
    async ({ caller, params }) => {
      const { rows } = await acting(postgres, caller).query<Revoked>('keys/revoke_own', [
        ...scopeOf(caller),
        idOf(params.id),
      ])
      if (!rows[0]) throw notFound('There is no such API key')
      return { success: true as const, stopped_jobs: rows[0].stopped_jobs }
    },
  )
}
