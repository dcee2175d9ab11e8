import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
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
        summary: 'Revoke an API key',
        description: 'Requests with the key are answered 401 after at most three seconds.',
        tags: ['api keys'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(loadSql('postgres/queries/keys/revoke_own'), [
        ...scopeOf(caller),
        idOf(params.id),
      ])
      if (rowCount === 0) throw notFound('There is no such API key')
      return { success: true as const }
    },
  )
}
