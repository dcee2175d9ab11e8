import { z } from 'zod'
import { hashToken, newToken } from '../../../platform/security/token.ts'
import { requireReading } from '../../rules/access.ts'
import type { AlertsRoute } from '../context.ts'

export const openAlertFeed: AlertsRoute = async (app, { postgres, publicUrl = '' }) => {
  app.post(
    '/api/v0/alerts/feed',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'openAlertFeed',
        summary: 'Create a feed address',
        description:
          'For feed readers, which cannot send a key. The address cannot be guessed. It is returned only here and replaces the former one.',
        tags: ['alerts'],
        response: {
          200: z.object({
            success: z.literal(true),
            url: z.string().describe('A path, unless the service knows its public address'),
          }),
        },
      },
    },
    async ({ caller }) => {
      requireReading(caller)
      const token = newToken()
      await postgres.query('alerts/open_feed', [caller.accountId, hashToken(token), caller.keyId])
      return { success: true as const, url: `${publicUrl}/api/v0/alerts/feed/${token}` }
    },
  )
}
