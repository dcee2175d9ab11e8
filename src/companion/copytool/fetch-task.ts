import { type CopyTask, fetchedTask, type Provider } from '../../../contract/copytool.ts'
import { hashToken } from '../../../platform/security/token.ts'
import { openCredentials } from '../cloud/credentials.ts'
import type { CompanionRoute } from '../context.ts'
import { taskErrors, taskNotFound, taskParams } from './host-task.ts'

interface Fetched {
  machine_id: number
  account_id: number
  payload: CopyTask
  provider: Provider
  credentials_sealed: Buffer
}

export const fetchTask: CompanionRoute = async (app, { postgres, vault }) => {
  app.post(
    '/api/v0/host_tasks/:token/fetch',
    {
      config: { permissions: ['machine_write'], errors: taskErrors },
      schema: {
        operationId: 'fetchHostTask',
        summary: 'Fetch a task',
        description: `Returns the task with the credentials of the cloud. Only the first request succeeds; every later one returns 404. The agent must report
within 15 minutes, and at least every 15 minutes from then on.`,
        tags: ['host tasks'],
        params: taskParams,
        response: { 200: fetchedTask },
      },
    },
    async ({ caller, params }, reply) => {
      const { rows } = await postgres.query<Fetched>('copytool/fetch', [
        caller.accountId,
        hashToken(params.token),
      ])
      if (!rows[0]) throw taskNotFound()
      const { machine_id, account_id, payload, provider, credentials_sealed } = rows[0]
      reply.header('cache-control', 'no-store')
      return {
        success: true as const,
        machine_id,
        task: payload,
        cloud: { provider, credentials: openCredentials(vault, account_id, credentials_sealed) },
      }
    },
  )
}
