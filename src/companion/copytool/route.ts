import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { copyBody } from '../../../contract/copytool.ts'
import { ApiError, invalidArgs, notFound } from '../../../platform/errors.ts'
import type { CompanionOptions } from '../options.ts'
import { noteDispatch, openTask } from './tasks.ts'

const description = `Puts a copy as a task before the host of the instance's machine and tells it so. The host's agent fetches the task once, with the cloud's
credentials, copies with rclone, and reports.

All fields but \`flags\` are required. \`flags\` are from \`--dry-run\`, \`--size-only\`, \`--ignore-existing\`, \`--update\`, \`--delete-excluded\`. Paths hold neither \`..\`
nor control characters. A success is also answered when it is uncertain whether the host heard of it: the task stays live for an hour. The same copy asked for
again before it has finished is the same copy, with the same \`result_url\`.`

/** POST /api/v0/commands/copytool (SPEC.md, endpoint 3), and the log that its `result_url` leads to. */
export const copytoolRoute: FastifyPluginAsyncZod<CompanionOptions> = async (
  app,
  { postgres, vault, controller, publicUrl },
) => {
  app.post(
    '/api/v0/commands/copytool',
    {
      config: {
        permissions: ['instance_write'],
        errors: {
          404: "Not a running instance or a cloud connection of the caller's: `not_found`",
          503: "The host can't be reached: `could_not_dispatch`, `Could Not Dispatch Cloud Copy`; nobody will take the task. Or a database is away; try again",
        },
      },
      schema: {
        summary: 'Copy between an instance and a cloud',
        description,
        tags: ['cloud'],
        body: copyBody,
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            result_url: z
              .url()
              .describe('The log: 404 until there is one. Whoever has the URL can read it, no key needed'),
          }),
        },
      },
    },
    async ({ caller, body, protocol, host }) => {
      const base = publicUrl ?? `${protocol}://${host}`
      if (!URL.canParse(base)) throw invalidArgs('The header Host is malformed')
      const task = await openTask(postgres, vault, caller.accountId, body)
      const reached =
        task.isFetched ||
        (task.machineIsOnline && (await controller(task.machineId, task.token)) !== 'unreachable')
      if (!(await noteDispatch(postgres, task.id, reached)))
        throw new ApiError(503, 'could_not_dispatch', 'Could Not Dispatch Cloud Copy')
      return {
        success: true as const,
        msg: 'Sending Command... Please Wait',
        result_url: `${base}/api/v0/commands/copytool/results/${task.resultId}`,
      }
    },
  )

  app.get(
    '/api/v0/commands/copytool/results/:id',
    {
      config: { permissions: 'none', errors: { 404: 'No log yet, or no such copy: `not_found`' } },
      schema: {
        summary: 'The log of a copy',
        description:
          'As far as the host has reported. Clients read it without a key: the id in the URL, 122 random bits, is the secret.',
        tags: ['cloud'],
        params: z.object({ id: z.string() }),
        produces: ['text/plain'],
        response: { 200: z.string() },
      },
    },
    async ({ params }, reply) => {
      const { rows } = z.uuid().safeParse(params.id).success
        ? await postgres.query<{ log: string }>(
            'SELECT log FROM host_tasks WHERE result_id = $1 AND log IS NOT NULL',
            [params.id],
          )
        : { rows: [] }
      if (!rows[0]) throw notFound('There is no log yet')
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(rows[0].log)
    },
  )
}
