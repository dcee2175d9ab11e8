import { z } from 'zod'
import { waitingTasks } from '../../../contract/copytool.ts'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { tokenPurpose } from './host-task.ts'

interface WaitingTask {
  token_sealed: Buffer | null
  created_at: number
  expires_at: number
}

export const listWaitingTasks: CompanionRoute = async (app, { postgres, vault }) => {
  app.get(
    '/api/v0/machines/:id/tasks',
    {
      config: {
        permissions: ['machine_write'],
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'listHostTasks',
        summary: 'List the tasks that wait for a machine',
        description: 'The one-time tokens of tasks that no agent has fetched yet, oldest first.',
        tags: ['host tasks'],
        params: z.object({ id: z.string() }),
        response: { 200: waitingTasks },
      },
    },
    async ({ caller, params }) => {
      const { rows } = await postgres.query<WaitingTask>('copytool/waiting', [
        caller.accountId,
        idOf(params.id),
      ])
      if (rows.length === 0) throw notFound('There is no such machine')
      const tasks = rows.flatMap(({ token_sealed, created_at, expires_at }) =>
        token_sealed ? [{ token: vault.open(token_sealed, tokenPurpose), created_at, expires_at }] : [],
      )
      return { success: true as const, tasks }
    },
  )
}
