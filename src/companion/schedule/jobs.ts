import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import { minuteOf, nextSlot, type Slots } from './job-slots.ts'
import type { Job, JobFields } from './schema.ts'

const mostJobs = 100
const purpose = (accountId: number) => `scheduled job of ${accountId}`

export const openBody = (vault: Vault, accountId: number, sealed: Buffer): Record<string, unknown> =>
  JSON.parse(vault.open(sealed, purpose(accountId)))

const secretFields = new Set(['docker_login_pass', 'credentials', 'code', 'secret', 'backup_code'])
const mask = '***'

/** A body as it's shown: nothing that was encrypted at rest comes out in clear. */
const shown = (body: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(body, (name, value) => (secretFields.has(name) ? mask : value)))

const isMasked = (body: object): boolean => JSON.stringify(body).includes(`:"${mask}"`)

/**
 * What a job sends from now on. A body that was sent back as it was shown is the body that there is; but what is hidden in it goes nowhere
 * else and beside nothing else than its writer meant. Throws 400 when it would.
 */
function bodyOf(job: Job, given: JobFields): Job['request_body'] {
  const { request_body = job.request_body, api_endpoint, request_method } = given
  const isSame = request_body === job.request_body || isDeepStrictEqual(request_body, shown(job.request_body))
  const goesElsewhere =
    (api_endpoint != null && api_endpoint !== job.api_endpoint) ||
    (request_method != null && request_method !== job.request_method)
  const hides = isMasked(shown(job.request_body))
  if (isSame && !(goesElsewhere && hides)) return job.request_body
  if (request_body && !isSame && !isMasked(request_body)) return request_body
  throw invalidArgs(`request_body: send again what is shown as ${mask}`)
}

type JobRow = Omit<Job, 'request_body'> & { request_body_sealed: Buffer }

/** The account's jobs as they're shown, in the order they were made. */
export const readJobs = async (client: pg.Pool, vault: Vault, accountId: number): Promise<Job[]> =>
  (await openJobs(client, vault, accountId)).map((job) => ({ ...job, request_body: shown(job.request_body) }))

/** The account's jobs, or the one of them that is asked for, with what they really send. */
async function openJobs(
  client: pg.Pool | pg.PoolClient,
  vault: Vault,
  accountId: number,
  jobId: number | null = null,
): Promise<Job[]> {
  const { rows } = await client.query<JobRow>(loadSql('postgres/queries/schedule/list'), [accountId, jobId])
  return rows.map(({ request_body_sealed, ...job }) => ({
    ...job,
    request_body: openBody(vault, accountId, request_body_sealed),
  }))
}

/** Makes a job of an account whose row is locked. Throws 400, and 404 for an instance that isn't the caller's. */
export async function createJob(
  client: pg.PoolClient,
  vault: Vault,
  caller: Caller,
  fields: JobFields,
): Promise<number> {
  const { start_time, api_endpoint, request_method, frequency } = fields
  if (start_time == null || api_endpoint == null || request_method == null || frequency == null)
    throw invalidArgs('start_time, api_endpoint, request_method and frequency are required')
  const jobs = await openJobs(client, vault, caller.accountId)
  const content = {
    ...contentOf(fields),
    api_endpoint,
    request_method,
    request_body: fields.request_body ?? {},
  }
  // A client repeats what it got no answer to: an equal job that is still to run is the same job.
  const slots = slotsOf({ ...fields, start_time, frequency })
  const same = jobs.find(
    ({ status, ...job }) =>
      status !== 'COMPLETED' &&
      isDeepStrictEqual({ ...contentOf(job), ...pickSlots(job) }, { ...content, ...slots }),
  )
  if (same) return same.id
  if (jobs.length >= mostJobs) throw invalidArgs(`At most ${mostJobs} scheduled jobs`)
  await checkInstance(client, caller.accountId, content.instance_id)
  const { rows } = await client.query<{ id: number }>(loadSql('postgres/queries/schedule/create'), [
    caller.accountId,
    caller.createdBy,
    ...columnsOf(vault, caller, content, slots),
    nextSlot(slots, Date.now() / 1000),
  ])
  return (rows[0] as { id: number }).id
}

/**
 * Sets the fields that are given. The next run is the first slot from now on, and at or after `start_time`; a slot that the job has run at
 * it doesn't run at again. Throws 400, and 404 for a job or an instance that isn't the caller's.
 */
export async function updateJob(
  client: pg.PoolClient,
  vault: Vault,
  caller: Caller,
  jobId: number,
  fields: JobFields,
): Promise<void> {
  await client.query('SELECT FROM scheduled_jobs WHERE id = $1 AND account_id = $2 FOR UPDATE', [
    jobId,
    caller.accountId,
  ])
  const [job] = await openJobs(client, vault, caller.accountId, jobId)
  if (!job) throw notFound('There is no such scheduled job')
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as JobFields
  if (Object.keys(given).length === 0) throw invalidArgs('No valid fields provided for update.')
  const content = { ...contentOf({ ...job, ...given }), request_body: bodyOf(job, given) }
  if (content.instance_id !== job.instance_id)
    await checkInstance(client, caller.accountId, content.instance_id)
  const slots = slotsOf(withFrequency(job, fields))
  // A slot that has come and that nobody has taken yet is not lost to a change of something else.
  const next = isDeepStrictEqual(slots, pickSlots(job)) ? job.next_run : nextSlot(slots, Date.now() / 1000)
  await client.query(loadSql('postgres/queries/schedule/update'), [
    jobId,
    caller.createdBy,
    ...columnsOf(vault, caller, content, slots),
    next,
  ])
}

type Content = Pick<Job, 'api_endpoint' | 'request_method' | 'request_body' | 'instance_id'>

const contentOf = ({ api_endpoint, request_method, request_body, instance_id }: JobFields | Job) =>
  ({ api_endpoint, request_method, request_body, instance_id: instance_id ?? null }) as Content

const pickSlots = (job: Slots): Slots => ({
  frequency: job.frequency,
  day_of_the_week: job.day_of_the_week,
  hour_of_the_day: job.hour_of_the_day,
  min_of_the_hour: job.min_of_the_hour,
  start_time: job.start_time,
  end_time: job.end_time,
})

type SlotFields = Omit<JobFields, 'start_time' | 'frequency'> & Pick<Slots, 'start_time' | 'frequency'>

/** The job with the given fields; a `frequency` says what its null day and hour mean, and what it has no use for is dropped. */
function withFrequency(job: Job, fields: JobFields): SlotFields {
  const { frequency, start_time } = fields
  const moved = start_time != null && start_time !== job.start_time
  const slotField = (name: 'day_of_the_week' | 'hour_of_the_day', isNeeded: boolean) => {
    if (frequency == null) return fields[name] ?? job[name]
    return fields[name] === undefined && isNeeded ? job[name] : fields[name]
  }
  return {
    ...job,
    frequency: frequency ?? job.frequency,
    start_time: start_time ?? job.start_time,
    end_time: fields.end_time ?? job.end_time,
    day_of_the_week: slotField('day_of_the_week', frequency === 'WEEKLY'),
    hour_of_the_day: slotField('hour_of_the_day', frequency !== 'HOURLY'),
    min_of_the_hour: fields.min_of_the_hour ?? (moved ? null : job.min_of_the_hour),
  }
}

/** Throws 400 unless day and hour are those that the frequency needs. */
function slotsOf(fields: SlotFields): Slots {
  const { frequency, start_time } = fields
  const day = fields.day_of_the_week ?? null
  const hour = fields.hour_of_the_day ?? null
  const end = fields.end_time ?? null
  if ((day !== null) !== (frequency === 'WEEKLY') || (hour !== null) !== (frequency !== 'HOURLY'))
    throw invalidArgs(
      'HOURLY takes neither day_of_the_week nor hour_of_the_day, DAILY takes hour_of_the_day only, WEEKLY takes both',
    )
  if (end !== null && end <= start_time) throw invalidArgs('start_time must be before end_time')
  return pickSlots({
    frequency,
    day_of_the_week: day,
    hour_of_the_day: hour,
    min_of_the_hour: fields.min_of_the_hour ?? minuteOf(start_time),
    start_time,
    end_time: end,
  })
}

async function checkInstance(
  client: pg.PoolClient,
  accountId: number,
  instanceId: number | null,
): Promise<void> {
  if (instanceId === null) return
  const { rowCount } = await client.query('SELECT FROM contracts WHERE id = $1 AND account_id = $2', [
    instanceId,
    accountId,
  ])
  if (rowCount === 0) throw notFound('There is no such instance')
}

/** The columns as job_create.sql and job_update.sql take them. */
const columnsOf = (vault: Vault, caller: Caller, content: Content, slots: Slots): unknown[] => [
  content.instance_id,
  content.api_endpoint,
  content.request_method,
  vault.seal(JSON.stringify(content.request_body), purpose(caller.accountId)),
  caller.permissions,
  slots.start_time,
  slots.end_time,
  slots.frequency,
  slots.day_of_the_week,
  slots.hour_of_the_day,
  slots.min_of_the_hour,
]
