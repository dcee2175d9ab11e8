import { z } from 'zod'
import { invalidKey } from '../../../platform/errors.ts'
import { createKey, type Revoked } from '../../../platform/security/api-keys.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { keysOf, scopeOf } from './keys.ts'

export const resetApiKey: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/commands/reset_apikey',
    {
      config: { permissions: ['user_write'] },
      schema: {
        operationId: 'resetApiKey',
        summary: 'Replace the API key of the request',
        description: `Creates a key with the name, permissions and expiry of the key of the request, and revokes that key, its session keys and its scheduled jobs. The
new key is returned only here. A client that loses the answer needs another key, since a repeated request returns 401.`,
        tags: ['api keys'],
        body: z.object({}).nullish(),
        response: {
          200: z.object({
            success: z.literal(true),
            id: z.int(),
            new_api_key: z.string(),
            stopped_jobs: z.array(z.int()).describe('Ids of the scheduled jobs that were stopped'),
          }),
        },
      },
    },
    async ({ caller }) => {
      const { keyId, accountId, createdBy } = caller
      return withAccount({ ...companion, caller }, createdBy, async ({ client }) => {
        const old = (await keysOf(client, caller)).find(({ id }) => id === keyId)
        // Another request has replaced it meanwhile.
        if (!old) throw invalidKey()
        const { name, permissions, expires_at } = old
        const expiresAt = expires_at === null ? undefined : new Date(expires_at * 1000)
        const { id, key } = await createKey(client, { accountId, createdBy, name, permissions, expiresAt })
        const revoke = 'keys/revoke_own'
        const { rows } = await client.query<Revoked>(revoke, [...scopeOf(caller), keyId])
        return { success: true as const, id, new_api_key: key, stopped_jobs: one(rows).stopped_jobs }
      })
    },
  )
}
