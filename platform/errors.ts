import { z } from 'zod'

/**
 * The statuses of error answers. Each has the name of its response in the OpenAPI document, and the meaning unless a route
 * overrides it.
 */
export const errorStatuses = {
  400: ['InvalidArguments', 'Invalid arguments: `invalid_args`'],
  401: ['InvalidKey', 'No valid key: `auth_error`, `Invalid user key`'],
  402: ['PaymentRequired', 'The marketplace does not allow it'],
  403: ['Forbidden', 'The key does not allow this: `forbidden`'],
  404: ['NotFound', 'There is no such thing: `not_found`'],
  405: ['MethodNotAllowed', 'The path does not have this method: `method_not_allowed`'],
  408: ['RequestTimeout', 'The request did not arrive in time: `timeout`'],
  409: ['Conflict', 'Somebody else has changed it: `conflict`'],
  413: ['BodyTooLarge', 'The body is larger than 1 MiB: `too_large`'],
  414: ['UrlTooLong', 'A part of the path is too long: `too_large`'],
  415: ['NotJson', 'The body is not JSON: `unsupported_media_type`'],
  422: ['Unprocessable', 'The request is valid but cannot be carried out'],
  429: ['TooManyRequests', 'Too many requests. Try again after Retry-After seconds'],
  431: ['HeadersTooLarge', 'The address and the headers are larger than 16 KB: `too_large`'],
  500: ['InternalError', 'Internal error. Quote the header X-Request-Id'],
  501: ['NotConfigured', 'The site does not have this: `not_configured`'],
  503: ['Unavailable', 'A database cannot be reached. Try again after Retry-After seconds'],
} as const

export type ErrorStatus = keyof typeof errorStatuses

/** The body of every error answer. `error` and `msg` are always strings. */
export const errorBody = z.object({
  success: z.literal(false),
  error: z
    .string()
    .describe('A code for programs: `invalid_args`, `auth_error`, `forbidden`, `not_found`, …'),
  msg: z.string().describe('A message for people'),
  fail_count: z.int().optional().describe('2FA: number of wrong codes in a row'),
  locked_until: z.number().optional().describe('2FA: the method is locked until this time (unix seconds)'),
  scheduled_job_id: z.int().optional().describe('`job_exists`: id of the existing job'),
  position: z
    .int()
    .optional()
    .describe('SQL: position of the error in the statement, in bytes of UTF-8, starting at 1'),
})

/** Further fields of an error body. */
export interface ErrorDetails {
  fail_count?: number
  /** Unix seconds */
  locked_until?: number
  /** The existing job */
  scheduled_job_id?: number
  /** Position of the error in a SQL statement, in bytes of UTF-8, starting at 1 */
  position?: number
}

/** An error for the client. Any other thrown error is answered with 500, without details. */
export class ApiError extends Error {
  readonly statusCode: ErrorStatus
  readonly code: string
  readonly details: ErrorDetails
  /** Seconds; with 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(
    statusCode: ErrorStatus,
    code: string,
    msg: string,
    { retryAfter, ...details }: ErrorDetails & { retryAfter?: number } = {},
  ) {
    super(msg)
    this.statusCode = statusCode
    this.code = code
    this.details = details
    this.retryAfter = retryAfter
  }
}

export const invalidArgs = (msg: string) => new ApiError(400, 'invalid_args', msg)
export const invalidKey = () => new ApiError(401, 'auth_error', 'Invalid user key')
export const forbidden = (msg: string) => new ApiError(403, 'forbidden', msg)
export const notFound = (msg: string) => new ApiError(404, 'not_found', msg)
