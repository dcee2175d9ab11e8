import { z } from 'zod'
import { idOf, success } from '../../contract/fields.ts'
import { acting } from '../../platform/stores/postgres.ts'
import type { AlertsRoute } from './context.ts'
import { noRule } from './rules.ts'

export const deleteAlert: AlertsRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/alerts/:id',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'deleteAlert',
        summary: 'Delete an alert rule',
        description: 'Its messages are deleted as well. Mail that is already in the outbox is still sent.',
        tags: ['alerts'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      const query = 'DELETE FROM alert_rules WHERE account_id = $1 AND id = $2'
      const { rowCount } = await acting(postgres, caller).query(query, [caller.accountId, idOf(params.id)])
      if (rowCount === 0) throw noRule()
      return { success: true as const }
    },
  )
}
