import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { apiKey, keysOf } from './keys.ts'

export const listApiKeys: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/auth/apikeys',
    {
      config: { permissions: ['user_read'] },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: `The valid keys of the caller in the order they were created, including keys that act for a team. With a team's key: only the
person's keys for that team. The keys themselves are never returned.`,
        tags: ['api keys'],
        response: { 200: z.object({ success: z.literal(true), apikeys: z.array(apiKey) }) },
      },
    },
    async ({ caller }) => ({ success: true as const, apikeys: await keysOf(postgres, caller) }),
  )
}
