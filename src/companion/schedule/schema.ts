import { z } from 'zod'
import { epoch, epochOut, id, named } from '../../../contract/fields.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
const frequencies = ['HOURLY', 'DAILY', 'WEEKLY'] as const
const origin = 'http://self'

/** A path of this API: no scheme, no host, no `..`, no control characters. */
const apiEndpoint = z
  .string()
  .max(2000)
  .refine(
    (text) => {
      if (!/^\/api\/v0\/[\x21-\x7e]*$/.test(text) || text.includes('\\')) return false
      const url = URL.canParse(text, origin) ? new URL(text, origin) : undefined
      return url?.origin === origin && `${url.pathname}${url.search}` === text
    },
    { error: 'must be a path of this API: /api/v0/…' },
  )

const longestBody = 65_536

export const jobErrors = { 404: 'The account has no such job or no such instance: `not_found`' }

export const jobRules = `Times are UTC. HOURLY takes neither \`day_of_the_week\` nor \`hour_of_the_day\` (both null), DAILY takes \`hour_of_the_day\`, WEEKLY takes both. A job
runs at minute \`min_of_the_hour\`, once per slot, from the first slot at or after \`start_time\`. Slots missed while the service was down are made up
for by one run. \`api_endpoint\` is an endpoint of this API, or a call on an instance (\`/api/v0/instances/…\`); it is called with the permissions of the key that wrote the job, limited to those
that its holder has at that time. When that key is revoked or expires, the job is stopped.`

/** The fields of a job that can be set. null has the same meaning as an absent field, except for a day or an hour beside a `frequency`. */
export const jobFields = named('JobFields', {
  start_time: epoch
    .nullish()
    .describe('Unix seconds. The first run is at the first slot at or after this time'),
  end_time: epoch.nullish().describe('Unix seconds. No run is at or after this time'),
  api_endpoint: apiEndpoint.nullish().describe("A path of this API, called with the job owner's permissions"),
  request_method: z.enum(methods).nullish(),
  request_body: z
    .record(z.string(), z.unknown())
    .refine((body) => JSON.stringify(body).length <= longestBody, {
      error: `must be at most ${longestBody} characters of JSON`,
    })
    .nullish(),
  instance_id: id.nullish().describe('The instance of the account that the job is for'),
  frequency: z.enum(frequencies).nullish(),
  day_of_the_week: z.int().min(0).max(6).nullish().describe('0 = Sunday. Required for WEEKLY'),
  hour_of_the_day: z.int().min(0).max(23).nullish().describe('UTC. Required for DAILY and WEEKLY'),
  min_of_the_hour: z.int().min(0).max(59).nullish().describe('Default: the minute of `start_time`'),
})
export type JobFields = z.infer<typeof jobFields>

export const job = z.object({
  id: z.int(),
  user_id: z.int(),
  instance_id: z.int().nullable(),
  api_endpoint: z.string(),
  request_method: z.enum(methods),
  request_body: z.record(z.string(), z.unknown()).describe('Passwords and credentials are shown as `***`'),
  start_time: epochOut,
  end_time: epochOut.nullable(),
  frequency: z.enum(frequencies),
  day_of_the_week: z.int().nullable(),
  hour_of_the_day: z.int().nullable(),
  min_of_the_hour: z.int(),
  status: z
    .enum(['PENDING', 'IN-PROGRESS', 'COMPLETED', 'STOPPED'])
    .describe('COMPLETED: no slot is left. STOPPED: see `stop_reason`'),
  stop_reason: z.string().nullable().describe('Why the job was stopped. An update lets it run again'),
  key_id: z.int().nullable().describe('The API key that wrote the job. null: not recorded'),
  next_run: epochOut.nullable(),
  last_executed_around: epochOut.nullable(),
  last_status_code: z
    .int()
    .nullable()
    .describe('Status of the last call; null: no call yet, or it was interrupted'),
  last_outcome: z.string().nullable(),
})
export type Job = z.infer<typeof job>

export const savedJob = named('SavedJob', {
  success: z.literal(true),
  scheduled_job_id: z.int(),
  msg: z.string(),
})
