import { z } from 'zod'

/** The body of every error answer. `error` and `msg` are always strings. */
export const errorBody = z.object({
  success: z.literal(false),
  error: z
    .string()
    .describe('A code for programs: `invalid_args`, `auth_error`, `forbidden`, `not_found`, …'),
  msg: z.string().describe('A message for people'),
  fail_count: z.int().optional().describe('2FA: number of wrong codes in a row'),
  locked_until: z.number().optional().describe('2FA: until when (unix seconds) the method is locked'),
  scheduled_job_id: z.int().optional().describe('`job_exists`: the job that there is'),
  position: z
    .int()
    .optional()
    .describe('SQL: where the statement is wrong, in bytes of UTF-8, starting at 1'),
})

/** Further fields of an error body. */
export interface ErrorDetails {
  fail_count?: number
  /** Unix seconds */
  locked_until?: number
  /** The job that there is */
  scheduled_job_id?: number
  /** Where a SQL statement is wrong, in bytes of UTF-8, starting at 1 */
  position?: number
}

/** An error for the client. Any other error that is thrown is answered 500, without details. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly details: ErrorDetails
  /** Seconds; with 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(
    statusCode: number,
    code: string,
    msg: string,
    { retryAfter, ...details }: ErrorDetails & { retryAfter?: number } = {},
  ) {
    super(msg)
    this.statusCode = statusCode
    this.code = code
    this.details = details
    this.retryAfter =
      retryAfter ?? (details.locked_until && Math.max(1, Math.ceil(details.locked_until - Date.now() / 1000)))
  }
}

export const invalidArgs = (msg: string) => new ApiError(400, 'invalid_args', msg)
export const invalidKey = () => new ApiError(401, 'auth_error', 'Invalid user key')
export const forbidden = (msg: string) => new ApiError(403, 'forbidden', msg)
export const notFound = (msg: string) => new ApiError(404, 'not_found', msg)
