import { z } from 'zod'
import { alertMessage } from '../../contract/alerts.ts'
import { id } from '../../contract/fields.ts'
import { afterRow, nextToken, pageOfRows, pageSize } from '../../contract/search.ts'
import type { AlertsRoute } from './context.ts'

export const listAlertMessages: AlertsRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/alerts/messages',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAlertMessages',
        summary: 'List alert messages',
        description: 'Newest first. Messages are kept for 90 days.',
        tags: ['alerts'],
        querystring: z.object({
          rule_id: id.optional().describe('Only messages of this rule'),
          limit: pageSize(200),
          after_token: afterRow,
        }),
        response: {
          200: z.object({
            success: z.literal(true),
            messages: z.array(alertMessage),
            next_token: nextToken,
          }),
        },
      },
    },
    async ({ caller, query: { rule_id = null, limit, after_token = null } }) => {
      const { rows } = await postgres.query<z.infer<typeof alertMessage>>('alerts/messages', [
        caller.accountId,
        rule_id,
        limit + 1,
        after_token,
      ])
      const { page, next_token } = pageOfRows(rows, limit)
      return { success: true as const, messages: page, next_token }
    },
  )
}
