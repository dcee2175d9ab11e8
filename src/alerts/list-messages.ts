import { z } from 'zod'
import { alertMessage } from '../../contract/alerts.ts'
import { id } from '../../contract/fields.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import type { AlertsRoute } from './context.ts'

const mostMessages = 200

export const listAlertMessages: AlertsRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/alerts/messages',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAlertMessages',
        summary: 'List alert messages',
        description: `The newest ${mostMessages} messages, newest first. They are kept for 90 days.`,
        tags: ['alerts'],
        querystring: z.object({ rule_id: id.optional().describe('Only messages of this rule') }),
        response: { 200: z.object({ success: z.literal(true), messages: z.array(alertMessage) }) },
      },
    },
    async ({ caller, query }) => {
      const { rows } = await postgres.query<z.infer<typeof alertMessage>>(
        loadSql('postgres/queries/alerts/messages'),
        [caller.accountId, query.rule_id ?? null, mostMessages],
      )
      return { success: true as const, messages: rows }
    },
  )
}
