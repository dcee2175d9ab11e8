import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { idOf, isDigits } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { type Account, type CompanionRoute, withAccount } from '../context.ts'
import { requireEndpoint } from './endpoints.ts'
import { updatedBody } from './job-body.ts'
import { nextSlot } from './job-slots.ts'
import { columnsOf, contentOf, jobsOf, requireInstance } from './jobs.ts'
import { type Job, type JobFields, jobErrors, jobFields, jobRules, savedJob } from './schema.ts'
import { pickSlots, updatedSlots } from './slot-fields.ts'

const path = '/api/v0/commands/schedule_job'

const description = `Changes the fields that are given. null means the same as an absent field, except that with \`frequency\` a null day or hour removes it. The
next run is at the first slot from now on; a slot at which the job has run is not repeated. When \`start_time\` changes and \`min_of_the_hour\` is absent,
the minute of the hour follows \`start_time\`. A job that was stopped runs again.

${jobRules}`

export const updateJob: CompanionRoute = async (app, companion) => {
  app.put(
    `${path}/:id`,
    {
      config: {
        permissions: ['instance_write'],
        failure: 'update_failed',
        errors: {
          ...jobErrors,
          400: '`invalid_args`: `Missing scheduled_job_id in request.`, `No valid fields provided for update.`, or fields that contradict each other',
          500: 'Internal error: `update_failed`, nothing was changed. Quote the header X-Request-Id',
        },
      },
      schema: {
        operationId: 'updateScheduledJob',
        summary: 'Update a scheduled job',
        description,
        tags: ['scheduled jobs'],
        params: z.object({ id: z.string() }),
        body: jobFields,
        response: { 200: savedJob },
      },
    },
    async ({ caller, params, body }) => {
      if (!isDigits(params.id)) throw invalidArgs('Missing scheduled_job_id in request.')
      const jobId = idOf(params.id)
      if (jobId === undefined) throw notFound('There is no such scheduled job')
      await withAccount(companion, caller.accountId, async (account) => {
        const job = await lockJob(account, jobId)
        const { api_endpoint } = body
        // A job of an earlier release may have another path, which clients send back.
        if (api_endpoint != null && api_endpoint !== job.api_endpoint) requireEndpoint(app, api_endpoint)
        await applyUpdate(account, caller, job, body)
      })
      return {
        success: true as const,
        scheduled_job_id: jobId,
        msg: `Successfully updated scheduled job with ID ${jobId}`,
      }
    },
  )

  // The same path without an id has an error message of its own.
  app.put(path, { config: { permissions: ['instance_write'] }, schema: { hide: true } }, () => {
    throw invalidArgs('Missing scheduled_job_id in request.')
  })
}

/** The job, locked, so that no run of it is recorded meanwhile. Throws 404. */
async function lockJob(account: Account, jobId: number): Promise<Job> {
  await account.client.query('schedule/lock', [account.id, jobId])
  const [job] = await jobsOf(account, jobId)
  if (!job) throw notFound('There is no such scheduled job')
  return job
}

/** Throws 400, and 404 for an instance that the account does not have. */
async function applyUpdate(account: Account, caller: Caller, job: Job, fields: JobFields): Promise<void> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as JobFields
  if (Object.keys(given).length === 0) throw invalidArgs('No valid fields provided for update.')
  const content = { ...contentOf({ ...job, ...given }), request_body: updatedBody(job, given) }
  if (content.instance_id !== job.instance_id) await requireInstance(account, content.instance_id)
  const slots = updatedSlots(job, fields)
  // If the slots are unchanged, a due slot that was not taken yet stays due.
  const keepsNext = job.status !== 'STOPPED' && isDeepStrictEqual(slots, pickSlots(job))
  const next = keepsNext ? job.next_run : nextSlot(slots, account.clock.now())
  await account.client.query('schedule/update', [
    job.id,
    caller.createdBy,
    ...columnsOf(account, caller, content, slots),
    next,
  ])
}
