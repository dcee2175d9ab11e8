import { fetch } from 'undici'
import type { z } from 'zod'
import { codeOf, toError } from '../contract/failure.ts'
import type { Clock } from '../platform/clock.ts'
import { readStorable } from '../platform/text.ts'
import { retryTime } from './request.ts'
import { SourceError } from './source-error.ts'

/**
 * The reason why a call failed. With `key`, `busy` and `refused` the marketplace has not executed the call. Otherwise it may
 * have, so after a call that changes something the machine is read again.
 */
type Failure = 'key' | 'busy' | 'refused' | 'failed' | 'unreadable' | 'unreachable'

/** A failed call. The message is a sentence about the marketplace, for people. It never contains the key. */
export class HostApiError extends SourceError {
  readonly failure: Failure

  constructor(failure: Failure, message: string, options: { retryAt?: number | undefined } = {}) {
    super(message, options)
    this.failure = failure
  }
}

/** The sealing purpose of a marketplace key of an account here. */
export const hostKeyPurpose = (accountId: number) => `marketplace key of ${accountId}`

export interface HostApiOptions {
  /** Any URL of the marketplace's API, such as the URL of a source: https://host/api/v0/bundles/ */
  url: string
  key: string
  userAgent: string
  clock: Clock
  /** Timeout of each call. */
  timeoutMs?: number
  /** Seconds: an answer whose time (`Date`) differs more from the clock is refused. Default: the time is not compared. */
  largestSkew?: number
  /** Ends all calls. */
  stop?: AbortSignal | undefined
}

/** The machines or earnings of an account take less than this. */
const mostBytes = 16 * 1024 * 1024
const usualTimeoutMs = 30_000

export const withoutKey = (text: string, { key }: { key: string }) => text.replaceAll(key, '…')

/** Makes one call and reads its answer. With a body it changes something. Throws HostApiError. */
export async function callHost<T>(
  schema: z.ZodType<T>,
  url: URL,
  options: HostApiOptions,
  body?: object,
): Promise<T> {
  return read(schema, await send(url, options, body))
}

async function send(url: URL, options: HostApiOptions, body?: object): Promise<string> {
  const { key, userAgent, clock, timeoutMs = usualTimeoutMs, stop } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url.href, {
      method: body ? 'PUT' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': userAgent,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: stop ? AbortSignal.any([timeout, stop]) : timeout,
    })
    const { status } = response
    if (status !== 200) {
      await response.body?.cancel()
      throw refusal(status, retryTime(response.headers.get('retry-after'), clock.now()))
    }
    refuseOtherTime(response.headers.get('date'), options)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > mostBytes)
        throw new HostApiError('unreadable', 'The answer of the marketplace is too large.')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (error instanceof HostApiError) throw error
    if (stop?.aborted) throw error
    if (timeout.aborted)
      throw new HostApiError(
        'unreachable',
        `The marketplace did not answer completely within ${timeoutMs / 1000} seconds.`,
      )
    const { name, cause } = toError(error)
    // The original error is not passed on as the cause, since it could contain the request.
    throw new HostApiError(
      'unreachable',
      `The marketplace cannot be reached, or its answer was cut off (${codeOf(cause) ?? codeOf(error) ?? name}).`,
    )
  }
}

function refuseOtherTime(date: string | null, { clock, largestSkew }: HostApiOptions): void {
  const skew = Date.parse(date ?? '') / 1000 - clock.now()
  if (largestSkew !== undefined && Math.abs(skew) > largestSkew)
    throw new HostApiError(
      'unreadable',
      `Its clock is ${Math.round(Math.abs(skew) / 60)} minutes ${skew > 0 ? 'ahead of' : 'behind'} the clock here, so its times cannot be compared. Set the wrong clock first.`,
    )
}

function refusal(status: number, retryAt: number | undefined): HostApiError {
  if (status === 401 || status === 403)
    return new HostApiError('key', `The marketplace refused the key (status ${status}).`)
  if (status === 429)
    return new HostApiError('busy', 'The marketplace asks for fewer requests (status 429).', { retryAt })
  if (status >= 500)
    return new HostApiError('failed', `The marketplace failed (status ${status}).`, { retryAt })
  if (status >= 300 && status < 400)
    return new HostApiError(
      'refused',
      'The marketplace redirects to another address, to which the key is not sent.',
    )
  return new HostApiError('refused', `The marketplace refused the call (status ${status}).`)
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  let document: unknown
  try {
    document = readStorable(text)
  } catch {
    throw new HostApiError('unreadable', 'The answer of the marketplace is not JSON, or ends too early.')
  }
  const result = schema.safeParse(document)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0] ?? { path: [], message: '' }
  throw new HostApiError(
    'unreadable',
    `The answer of the marketplace is unusable: ${path.join('.')}: ${message}`,
  )
}
