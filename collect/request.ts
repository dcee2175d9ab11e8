import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { day } from '../contract/durations.ts'
import { codeOf, toError } from '../contract/failure.ts'
import { hasPrivateHost } from '../platform/security/private-network.ts'
import { publicLookup, RefusedAddress } from '../platform/security/public-lookup.ts'
import type { HttpRequest, Validators } from './source.ts'
import { SourceError } from './source-error.ts'

/** Bytes of an answer. The answer of a marketplace with 25,000 offers has 95 MB. */
const mostBytes = 256 * 1024 * 1024
const mostRedirects = 5
const longestPause = day
const toPublicAddresses = new Agent({ connect: { lookup: publicLookup() } })

export interface SourceResponse {
  bytes: AsyncGenerator<Buffer>
  validators: Validators
}

/**
 * Requests `url` once. Returns undefined when nothing has changed since the answer of `validators`. Follows some redirects, but
 * not from the internet into a private network, nor from https to http. Throws SourceError for every other answer.
 */
export async function get(
  url: URL,
  userAgent: string,
  { clock, validators, signal }: HttpRequest,
): Promise<SourceResponse | undefined> {
  const headers = {
    'user-agent': userAgent,
    accept: 'application/json, text/csv;q=0.9, */*;q=0.5',
    ...conditions(validators),
  }
  const response = await follow(url, { headers, signal, redirect: 'manual' })
  if (response.status === 200) {
    const { etag, 'last-modified': last_modified } = Object.fromEntries(response.headers)
    return { bytes: bytesOf(response), validators: { etag, last_modified } }
  }
  await response.body?.cancel()
  if (response.status === 304 && validators) return undefined
  const retryAt = retryTime(response.headers.get('retry-after'), clock.now())
  const { status } = response
  throw new SourceError(`The source answered with status ${status}.`, { retryAt, status })
}

const conditions = ({ etag, last_modified }: Validators = {}) => ({
  ...(etag && { 'if-none-match': etag }),
  ...(last_modified && { 'if-modified-since': last_modified }),
})

async function follow(start: URL, request: RequestInit): Promise<Response> {
  let [url, init] = [start, request]
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await fetch(url.href, init).catch(fail)
    const location = response.headers.get('location')
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response
    await response.body?.cancel()
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    const way = next && wayTo(next, url)
    if (!next || way === 'refused') throw new SourceError(refusal)
    if (way === 'public') init = { ...request, dispatcher: toPublicAddresses }
    url = next
  }
  throw new SourceError(`The source redirects more than ${mostRedirects} times.`)
}

const refusal = 'The source redirects to where it must not.'

/**
 * The rule for a redirect. The configured address may be anywhere. A redirect of a third party must not lead into the operator's
 * own network: for `public`, the addresses of the name are checked when the connection is made.
 */
export function wayTo(to: URL, from: URL): 'as before' | 'public' | 'refused' {
  if (!/^https?:$/.test(to.protocol) || (from.protocol === 'https:' && to.protocol === 'http:'))
    return 'refused'
  if (to.host === from.host || hasPrivateHost(from.href)) return 'as before'
  return hasPrivateHost(to.href) ? 'refused' : 'public'
}

async function* bytesOf({ body }: Response): AsyncGenerator<Buffer> {
  try {
    yield* bounded(body ?? [])
  } catch (error) {
    fail(error)
  }
}

/** The bytes of an answer. Throws SourceError when there are too many. */
export async function* bounded(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > mostBytes) throw new SourceError(`The answer is larger than ${mostBytes / 1024 / 1024} MB.`)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

/** Throws an error with the reason why the answer is missing or incomplete. */
function fail(error: unknown): never {
  if (error instanceof SourceError) throw error
  const { name, cause } = toError(error)
  if (cause instanceof RefusedAddress) throw new SourceError(refusal, { cause: error })
  if (name === 'AbortError' || name === 'TimeoutError') throw error
  throw new SourceError(
    `The source cannot be reached, or its answer was cut off (${codeOf(cause) ?? codeOf(error) ?? name}).`,
    {
      cause: error,
    },
  )
}

/** `Retry-After` as unix seconds. The header has seconds or a date. The wait is at most a day. */
export function retryTime(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  // Date.parse accepts almost any text as a date.
  const date = /GMT$/.test(header) ? Date.parse(header) / 1000 : Number.NaN
  const time = /^\d{1,9}$/.test(header) ? now + Number(header) : date
  return time > now ? Math.ceil(Math.min(time, now + longestPause)) : undefined
}
