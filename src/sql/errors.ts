import { ClickHouseError } from '@clickhouse/client'
import { ApiError } from '../../platform/errors.ts'

const refused = new Set(['ACCESS_DENIED', 'READONLY', 'SETTING_CONSTRAINT_VIOLATION', 'UNKNOWN_DATABASE'])
const interrupted = new Set(['ABORTED'])
const busy = new Set(['QUOTA_EXCEEDED', 'TOO_MANY_SIMULTANEOUS_QUERIES'])
const bounded = new Set([
  'TIMEOUT_EXCEEDED',
  'TOO_SLOW',
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_ROWS',
  'TOO_MANY_BYTES',
  'TOO_MANY_ROWS_OR_BYTES',
  'SET_SIZE_LIMIT_EXCEEDED',
  'TOO_DEEP_RECURSION',
  'TOO_DEEP_AST',
  'TOO_BIG_AST',
  'NOT_ENOUGH_SPACE',
])

/** The answer to a statement that ClickHouse refused: its message without its version. Other errors are passed on. */
export function sqlErrorOf(error: unknown): unknown {
  if (error instanceof Error && /^(Poco::Exception|HTML Form Exception)/.test(error.message))
    return new ApiError(400, 'sql_error', sentenceOf(error.message))
  if (!(error instanceof ClickHouseError)) return error
  const type = error.type ?? ''
  const msg = sentenceOf(error.message)
  if (refused.has(type)) return new ApiError(403, 'forbidden', msg)
  if (busy.has(type)) return new ApiError(429, 'too_many_requests', msg, { retryAfter: 5 })
  if (interrupted.has(type)) return new ApiError(503, 'unavailable', msg, { retryAfter: 1 })
  if (bounded.has(type)) return new ApiError(422, 'limit_exceeded', msg)
  const position = /\(position (\d+)\)|at position (\d+)/.exec(error.message)
  const at = Number(position?.[1] ?? position?.[2])
  return new ApiError(400, 'sql_error', msg, at > 0 ? { position: at } : {})
}

/** The message without the code before it and the version after it. */
export const sentenceOf = (message: string): string =>
  message
    .replace(/^Code: \d+\. DB::Exception: /, '')
    .replace(/\s*\(version [^)]*\)\s*$/, '')
    .slice(0, 4000)
