import { stopAnswer, stopBody } from '../../contract/autopilot-decisions.ts'
import { acting } from '../../platform/stores/postgres.ts'
import type { AutopilotRoute } from './context.ts'

export const stopAutopilot: AutopilotRoute = async (app, { postgres }) => {
  app.put(
    '/api/v0/metrics/autopilot/stop',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'stopAutopilot',
        summary: 'Stop or resume the autopilot',
        description:
          'Stops everything of the account: no rule decides, and pending decisions are not called. The outcome of a call that was already made is still read.',
        tags: ['autopilot'],
        body: stopBody,
        response: { 200: stopAnswer },
      },
    },
    async ({ caller, body: { stopped } }) => {
      await acting(postgres, caller).query('autopilot/stop', [caller.accountId, stopped])
      return { success: true as const, stopped }
    },
  )
}
