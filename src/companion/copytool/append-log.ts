import { z } from 'zod'
import { loggedTask } from '../../../contract/copytool.ts'
import { hashToken } from '../../../platform/security/token.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { openCredentials, redact, secretsOf } from '../cloud/credentials.ts'
import type { CompanionRoute } from '../context.ts'
import { taskErrors, taskNotFound, taskParams } from './host-task.ts'

/** Characters of a log that are stored, counted from its end. */
const longestLog = 1_000_000

interface RunningTask {
  id: number
  account_id: number
  log: string
  log_held: string
  log_received: number
  credentials_sealed: Buffer
}

export const appendLog: CompanionRoute = async (app, { postgres, vault }) => {
  app.post(
    '/api/v0/host_tasks/:token/log',
    {
      config: { permissions: ['machine_write'], errors: taskErrors },
      schema: {
        operationId: 'appendHostTaskLog',
        summary: "Append to a task's log",
        description: `\`offset\` is the number of characters sent before. Characters that were already received are ignored, and so is text after a
gap. Credentials are removed from the log.`,
        tags: ['host tasks'],
        params: taskParams,
        body: z.object({ offset: z.int().min(0), text: z.string().max(200_000) }),
        response: { 200: loggedTask },
      },
    },
    async ({ caller, params, body: { offset, text } }) => {
      const received = await transaction(postgres, async (client) => {
        const { rows } = await client.query<RunningTask>('copytool/running', [
          caller.accountId,
          hashToken(params.token),
        ])
        const [task] = rows
        if (!task) throw taskNotFound()
        const added = text.slice(Math.max(0, task.log_received - offset))
        if (offset > task.log_received || added === '') return task.log_received
        const secrets = secretsOf(openCredentials(vault, task.account_id, task.credentials_sealed))
        const { clean, held } = redact(task.log_held + added, secrets)
        await client.query('copytool/append_log', [
          task.id,
          (task.log + clean).slice(-longestLog),
          held,
          added.length,
        ])
        return task.log_received + added.length
      })
      return { success: true as const, received }
    },
  )
}
