import { z } from 'zod'

/** The body of every error answer (SPEC.md, WIRE.md: both are always strings). */
export const errorBody = z.object({
  success: z.literal(false),
  error: z.string().describe('A code for programs: invalid_args, auth_error, forbidden, not_found, …'),
  msg: z.string().describe('A sentence for people.'),
  fail_count: z.int().optional().describe('2FA: how many wrong codes in a row'),
  locked_until: z.number().optional().describe('2FA: unix seconds until which no code is taken'),
  position: z.int().optional().describe('SQL: where the statement is wrong, in bytes of UTF-8, from 1'),
})

/** What the body of a failure may say besides: how often a code was wrong, until when no more are taken, where a statement is wrong. */
export interface ErrorDetails {
  fail_count?: number
  /** Unix seconds */
  locked_until?: number
  /** Where in a statement, in bytes of UTF-8, from 1 */
  position?: number
}

/** A failure that the caller can do something about. Anything else that is thrown is ours and answers 500 without details. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly details: ErrorDetails
  /** Seconds, for a 429 or a 503. */
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
