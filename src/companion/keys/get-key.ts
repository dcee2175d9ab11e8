import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { apiKey, keysOf } from './keys.ts'

export const getApiKey: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/auth/apikeys/:id',
    {
      config: {
        permissions: ['user_read'],
        errors: { 404: 'The person has no such valid key: `not_found`' },
      },
      schema: {
        operationId: 'getApiKey',
        summary: 'Get an API key',
        description: 'One row of the list of API keys. The key itself is never returned.',
        tags: ['api keys'],
        params: z.object({ id: z.string() }),
        response: { 200: apiKey },
      },
    },
    async ({ caller, params }) => {
      const key = (await keysOf(postgres, caller)).find(({ id }) => id === idOf(params.id))
      if (!key) throw notFound('There is no such API key')
      return key
    },
  )
}
