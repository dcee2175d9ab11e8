import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fetchedTask, loggedTask, waitingTasks } from '../../../contract/copytool.ts'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionOptions } from '../options.ts'
import { appendLog, fetchTask, finishTask, waitingFor } from './tasks.ts'

const params = z.object({ token: z.string() })
const noTask = () => notFound('There is no such task')
const config = {
  permissions: ['machine_write'],
  errors: { 404: "No task of a machine of the caller's under this token, or it is past: `not_found`" },
} as const

/** The host's side of a copy: what its agent asks for. Ours, not in SPEC.md. */
export const hostTasksRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres, vault }) => {
  app.get(
    '/api/v0/machines/:id/tasks',
    {
      config: { ...config, errors: { 404: "Not a machine of the caller's: `not_found`" } },
      schema: {
        summary: 'Tasks that wait for a machine',
        description: 'The one-time tokens of tasks that nobody has fetched, oldest first.',
        tags: ['host tasks'],
        params: z.object({ id: z.string() }),
        response: { 200: waitingTasks },
      },
    },
    async ({ caller, params }) => {
      const tasks = await waitingFor(postgres, vault, caller.accountId, idOf(params.id))
      if (!tasks) throw notFound('There is no such machine')
      return { success: true as const, tasks }
    },
  )

  app.post(
    '/api/v0/host_tasks/:token/fetch',
    {
      config,
      schema: {
        summary: 'Fetch a task, once',
        description:
          'Answers the task with the credentials of the cloud the first time, and 404 from then on. Report within 15 minutes, and again as often.',
        tags: ['host tasks'],
        params,
        response: { 200: fetchedTask },
      },
    },
    async ({ caller, params }, reply) => {
      const task = await fetchTask(postgres, vault, caller.accountId, params.token)
      if (!task) throw noTask()
      reply.header('cache-control', 'no-store')
      return task
    },
  )

  app.post(
    '/api/v0/host_tasks/:token/log',
    {
      config,
      schema: {
        summary: "Append to a task's log",
        description:
          '`offset` is how many characters were sent before: a repeat adds nothing, a gap is not accepted. Credentials are struck out.',
        tags: ['host tasks'],
        params,
        body: z.object({ offset: z.int().min(0), text: z.string().max(200_000) }),
        response: { 200: loggedTask },
      },
    },
    async ({ caller, params, body }) => {
      const received = await appendLog(postgres, vault, caller.accountId, params.token, body)
      if (received === undefined) throw noTask()
      return { success: true as const, received }
    },
  )

  app.post(
    '/api/v0/host_tasks/:token/finish',
    {
      config,
      schema: {
        summary: 'Finish a task',
        description: 'Says how it ended. The first word counts; a repeat changes nothing.',
        tags: ['host tasks'],
        params,
        body: z.object({ exit_code: z.int().min(-255).max(255) }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params, body }) => {
      if (!(await finishTask(postgres, caller.accountId, params.token, body.exit_code))) throw noTask()
      return { success: true as const }
    },
  )
}
