import { stopAnswer, stopBody } from '../../contract/autopilot-decisions.ts'
import type { AutopilotRoute } from './context.ts'

export const stopAutopilot: AutopilotRoute = async (app, { postgres }) => {
  app.put(
    '/api/v0/metrics/autopilot/stop',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'stopAutopilot',
        summary: 'Stop the autopilot, or let it go on',
        description:
          'Stops everything of the account: no rule decides, and nothing that was decided is called. A call that was made already is read back.',
        tags: ['autopilot'],
        body: stopBody,
        response: { 200: stopAnswer },
      },
    },
    async ({ caller, body: { stopped } }) => {
      await postgres.query('autopilot/stop', [caller.accountId, stopped])
      return { success: true as const, stopped }
    },
  )
}
