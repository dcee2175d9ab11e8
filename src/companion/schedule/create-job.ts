import { isDeepStrictEqual } from 'node:util'
import { ApiError, invalidArgs } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type Account, type CompanionRoute, withAccount } from '../context.ts'
import { requireEndpoint } from './endpoints.ts'
import { nextSlot } from './job-slots.ts'
import { columnsOf, contentOf, jobsOf, requireInstance } from './jobs.ts'
import { type JobFields, jobErrors, jobFields, jobRules, savedJob } from './schema.ts'
import { pickSlots, slotsOf } from './slot-fields.ts'

const mostJobs = 100

export const scheduleJob: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/commands/schedule_job',
    {
      config: {
        permissions: ['instance_write'],
        errors: {
          ...jobErrors,
          422: 'The instance has a job with the same call at other times: `job_exists`, with `scheduled_job_id`. Update that job instead',
        },
      },
      schema: {
        operationId: 'createScheduledJob',
        summary: 'Create a scheduled job',
        description: `\`start_time\`, \`api_endpoint\`, \`request_method\` and \`frequency\` are required. If the account has an equal job that is not completed, that job is
returned: a repeated request creates no second one. A job of an instance that differs from an existing one only in its times is refused with 422, so
that clients can offer to update that one. An account can have ${mostJobs} jobs.

${jobRules}`,
        tags: ['scheduled jobs'],
        body: jobFields,
        response: { 200: savedJob },
      },
    },
    async ({ caller, body }) => {
      if (body.api_endpoint != null) requireEndpoint(app, body.api_endpoint)
      const id = await withAccount(companion, caller.accountId, (account) => createJob(account, caller, body))
      return {
        success: true as const,
        scheduled_job_id: id,
        msg: `Successfully created scheduled job with ID ${id}`,
      }
    },
  )
}

/** Returns the id of the job. Throws 400, and 404 for an instance that the account does not have. */
export async function createJob(account: Account, caller: Caller, fields: JobFields): Promise<number> {
  const { start_time, api_endpoint, request_method, frequency } = fields
  if (start_time == null || api_endpoint == null || request_method == null || frequency == null)
    throw invalidArgs('start_time, api_endpoint, request_method and frequency are required')
  const content = contentOf({ ...fields, request_body: fields.request_body ?? {} })
  const slots = slotsOf({ ...fields, start_time, frequency })
  const jobs = await jobsOf(account)
  const same = jobs.find(
    (job) =>
      job.status !== 'COMPLETED' &&
      job.status !== 'STOPPED' &&
      isDeepStrictEqual({ ...contentOf(job), ...pickSlots(job) }, { ...content, ...slots }),
  )
  if (same) return same.id
  const other = jobs.find((job) => job.next_run !== null && isDeepStrictEqual(contentOf(job), content))
  if (other && content.instance_id !== null)
    throw new ApiError(422, 'job_exists', 'The instance has a job with this call at other times.', {
      scheduled_job_id: other.id,
    })
  if (jobs.length >= mostJobs) throw invalidArgs(`An account can have at most ${mostJobs} scheduled jobs`)
  await requireInstance(account, content.instance_id)
  const { rows } = await account.client.query<{ id: number }>('schedule/create', [
    account.id,
    caller.createdBy,
    ...columnsOf(account, caller, content, slots),
    nextSlot(slots, account.clock.now()),
  ])
  return one(rows).id
}
