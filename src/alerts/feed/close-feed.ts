import { success } from '../../../contract/fields.ts'
import type { AlertsRoute } from '../context.ts'

export const closeAlertFeed: AlertsRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/alerts/feed',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'closeAlertFeed',
        summary: 'Revoke the feed address',
        tags: ['alerts'],
        response: { 200: success },
      },
    },
    async ({ caller }) => {
      await postgres.query('alerts/open_feed', [caller.accountId, null, null])
      return { success: true as const }
    },
  )
}
