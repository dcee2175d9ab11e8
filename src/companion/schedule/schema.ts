import { z } from 'zod'
import { epoch, epochOut, id } from '../../../contract/fields.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
const frequencies = ['HOURLY', 'DAILY', 'WEEKLY'] as const
const origin = 'http://self'

/** A path of this API and nothing else: no host, no scheme, no way out by dots, no control characters. */
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

const bodyBytes = 65_536

/** What can be set of a job. Null means the same as absence, but for a day or an hour that goes with a `frequency`. */
export const jobFields = z.object({
  start_time: epoch.nullish().describe('Unix seconds. The first run is at the first slot at or after it'),
  end_time: epoch.nullish().describe('Unix seconds. No run at or after it'),
  api_endpoint: apiEndpoint.nullish().describe('A path of this API, called as the owner of the job'),
  request_method: z.enum(methods).nullish(),
  request_body: z
    .record(z.string(), z.unknown())
    .refine((body) => JSON.stringify(body).length <= bodyBytes, {
      error: `must be at most ${bodyBytes} characters of JSON`,
    })
    .nullish(),
  instance_id: id.nullish().describe('An instance of yours that the job is about'),
  frequency: z.enum(frequencies).nullish(),
  day_of_the_week: z.int().min(0).max(6).nullish().describe('0 = Sunday; WEEKLY needs it'),
  hour_of_the_day: z.int().min(0).max(23).nullish().describe('UTC; DAILY and WEEKLY need it'),
  min_of_the_hour: z
    .int()
    .min(0)
    .max(59)
    .nullish()
    .describe('Default: the minute of `start_time`, when that is set'),
})
export type JobFields = z.infer<typeof jobFields>

/** A job as it's stored, and as it's read. */
export const job = z.object({
  id: z.int(),
  user_id: z.int(),
  instance_id: z.int().nullable(),
  api_endpoint: z.string(),
  request_method: z.enum(methods),
  request_body: z
    .record(z.string(), z.unknown())
    .describe('Passwords and credentials in it are shown as `***`'),
  start_time: epochOut,
  end_time: epochOut.nullable(),
  frequency: z.enum(frequencies),
  day_of_the_week: z.int().nullable(),
  hour_of_the_day: z.int().nullable(),
  min_of_the_hour: z.int(),
  status: z.enum(['PENDING', 'IN-PROGRESS', 'COMPLETED']).describe('COMPLETED: there is no slot left'),
  next_run: epochOut.nullable(),
  last_executed_around: epochOut.nullable(),
  last_status_code: z
    .int()
    .nullable()
    .describe('What the last call was answered; null: none yet, or it was cut short'),
  last_outcome: z.string().nullable(),
})
export type Job = z.infer<typeof job>

export const savedJob = z.object({ success: z.literal(true), scheduled_job_id: z.int(), msg: z.string() })
