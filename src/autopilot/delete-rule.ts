import { z } from 'zod'
import { idOf, success } from '../../contract/fields.ts'
import { acting } from '../../platform/stores/postgres.ts'
import type { AutopilotRoute } from './context.ts'
import { noRule } from './rules.ts'

export const deleteAutopilotRule: AutopilotRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/metrics/autopilot/rules/:id',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'deleteAutopilotRule',
        summary: 'Delete an autopilot rule',
        description: 'Its decisions stay in the ledger. A decision that was not called yet is cancelled.',
        tags: ['autopilot'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      const query = 'DELETE FROM autopilot_rules WHERE account_id = $1 AND id = $2'
      const { rowCount } = await acting(postgres, caller).query(query, [caller.accountId, idOf(params.id)])
      if (rowCount === 0) throw noRule()
      return { success: true as const }
    },
  )
}
