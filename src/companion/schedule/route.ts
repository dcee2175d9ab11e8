import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf, isDigits } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { accountTransaction, transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionOptions } from '../options.ts'
import { createJob, readJobs, updateJob } from './jobs.ts'
import { job, jobFields, savedJob } from './schema.ts'

const path = '/api/v0/commands/schedule_job'
const tags = ['scheduled jobs']
const unknown = "Not a job (or an instance) of the caller's: `not_found`"

const rules = `Times are UTC. HOURLY takes neither \`day_of_the_week\` nor \`hour_of_the_day\` (both null), DAILY \`hour_of_the_day\`, WEEKLY both. A job runs at minute
\`min_of_the_hour\`, first at the first slot at or after \`start_time\`, once per slot; slots missed while nothing worked are made up for by one run.
\`api_endpoint\` is a path of this API, called with what the key that wrote the job may do, within the owner's present permissions.`

/** PUT /api/v0/commands/schedule_job/{id} (SPEC.md, endpoint 8), and listing, making and deleting jobs (ours). */
export const scheduleRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres, vault }) => {
  app.put(
    `${path}/:id`,
    {
      config: {
        permissions: ['instance_write'],
        failure: 'update_failed',
        errors: {
          400: '`invalid_args`: `Missing scheduled_job_id in request.`, `No valid fields provided for update.`, or fields that do not fit together',
          404: unknown,
          500: 'Our fault: `update_failed`, nothing was changed; quote the header X-Request-Id',
        },
      },
      schema: {
        summary: 'Update a scheduled job',
        description: `Sets the fields that are given; null is the same as not given, but beside a \`frequency\` a null day or hour says that there is none. The next run
is the first slot from now on; a slot that the job has run at it doesn't run at again. When \`start_time\` moves and \`min_of_the_hour\` isn't given, the minute moves along.

${rules}`,
        tags,
        params: z.object({ id: z.string() }),
        body: jobFields,
        response: { 200: savedJob },
      },
    },
    async ({ caller, params, body }) => {
      if (!isDigits(params.id)) throw invalidArgs('Missing scheduled_job_id in request.')
      const jobId = idOf(params.id)
      if (jobId === undefined) throw notFound('There is no such scheduled job')
      await transaction(postgres, (client) => updateJob(client, vault, caller, jobId, body))
      return {
        success: true as const,
        scheduled_job_id: jobId,
        msg: `Successfully updated scheduled job with ID ${jobId}`,
      }
    },
  )

  // Without an id it's a mistake that has a message of its own.
  app.put(path, { config: { permissions: ['instance_write'] }, schema: { hide: true } }, () => {
    throw invalidArgs('Missing scheduled_job_id in request.')
  })

  app.post(
    path,
    {
      config: { permissions: ['instance_write'], errors: { 404: unknown } },
      schema: {
        summary: 'Schedule a job',
        description: `Needs \`start_time\`, \`api_endpoint\`, \`request_method\` and \`frequency\`. A job equal to one that is still to run is that one: a repeated request makes
no second. At most 100 jobs.

${rules}`,
        tags,
        body: jobFields,
        response: { 200: savedJob },
      },
    },
    async ({ caller, body }) => {
      const id = await accountTransaction(postgres, caller.accountId, (client) =>
        createJob(client, vault, caller, body),
      )
      return {
        success: true as const,
        scheduled_job_id: id,
        msg: `Successfully created scheduled job with ID ${id}`,
      }
    },
  )

  app.get(
    path,
    {
      config: { permissions: ['instance_read'] },
      schema: {
        summary: 'Scheduled jobs of the account',
        description: 'In the order they were made, with how their last runs went.',
        tags,
        response: { 200: z.array(job) },
      },
    },
    ({ caller }) => readJobs(postgres, vault, caller.accountId),
  )

  app.delete(
    `${path}/:id`,
    {
      config: { permissions: ['instance_write'], errors: { 404: unknown } },
      schema: {
        summary: 'Delete a scheduled job',
        description: 'It runs no more; a call that has begun is not taken back.',
        tags,
        params: z.object({ id: z.string() }),
        response: { 200: savedJob },
      },
    },
    async ({ caller, params }) => {
      const { rows } = await postgres.query<{ id: number }>(
        `UPDATE scheduled_jobs SET deleted_at = now(), next_run_at = NULL WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING id`,
        [idOf(params.id), caller.accountId],
      )
      if (!rows[0]) throw notFound('There is no such scheduled job')
      const { id } = rows[0]
      return {
        success: true as const,
        scheduled_job_id: id,
        msg: `Successfully deleted scheduled job with ID ${id}`,
      }
    },
  )
}
