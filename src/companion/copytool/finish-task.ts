import { z } from 'zod'
import { success } from '../../../contract/fields.ts'
import { hashToken } from '../../../platform/security/token.ts'
import type { CompanionRoute } from '../context.ts'
import { taskErrors, taskNotFound, taskParams } from './host-task.ts'

export const finishTask: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/host_tasks/:token/finish',
    {
      config: { permissions: ['machine_write'], errors: taskErrors },
      schema: {
        operationId: 'finishHostTask',
        summary: 'Finish a task',
        description: 'Reports the exit code of a task. Only the first request has an effect.',
        tags: ['host tasks'],
        params: taskParams,
        body: z.object({ exit_code: z.int().min(-255).max(255) }),
        response: { 200: success },
      },
    },
    async ({ caller, params, body }) => {
      const { rowCount } = await postgres.query('copytool/finish', [
        caller.accountId,
        hashToken(params.token),
        body.exit_code,
      ])
      if (rowCount !== 1) throw taskNotFound()
      return { success: true as const }
    },
  )
}
