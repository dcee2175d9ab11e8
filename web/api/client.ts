import { hearTime } from '../clock.ts'
import { duration, sentence } from '../format.ts'
import { hasEnded, key, signOut } from '../session.ts'
import { withSource } from '../source.ts'
import { hear } from './freshness.ts'

/** The base URL of the service, at whatever path it is mounted: addresses of pages have one segment. */
export const base = new URL('.', document.baseURI)

interface Details {
  position?: number | undefined
  wait?: number
}

/** The reason why a request failed. `status` 0: the service cannot be reached. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  /** The position of an error in SQL, counted from 1. */
  readonly position: number | undefined
  /** Seconds that the service asks to wait. */
  readonly wait: number
  readonly failedAt = performance.now()

  constructor(status: number, code: string, message: string, { position, wait = 0 }: Details = {}) {
    super(message)
    this.status = status
    this.code = code
    this.position = position
    this.wait = wait
  }
}

export interface Asking {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
  /** A key to use instead of the visitor's own. */
  key?: string
}

/** True if the answer depends on the source. */
const isOfMarket = (path: string) => /^api\/v0\/metrics\/(gpu\/|live|machines|costs)/.test(path)

/** Asks the API with the visitor's key. Throws an ApiFailure unless the answer is a success; a key that is no longer valid signs out. */
export async function request(
  path: string,
  { method = 'GET', body, signal, key: given }: Asking = {},
): Promise<Response> {
  // The page of an ended session stays. It waits for the visitor to sign in again.
  if (hasEnded.value && !given) throw new ApiFailure(401, 'signed_out', 'You are signed out')
  const response = await fetch(new URL(isOfMarket(path) ? withSource(path) : path, base), {
    method,
    // A cached answer is revalidated, so that a new slot is visible at once.
    cache: 'no-cache',
    headers: {
      authorization: `Bearer ${given ?? key.value}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ApiFailure(0, 'unreachable', 'The service cannot be reached')
  })
  hearTime(response.headers)
  if (response.ok) {
    // The headers of an answer about another market are not of the one on the page.
    if (!path.includes('source=')) hear(response.headers)
    return response
  }
  const failure = await failureOf(response)
  if (failure.status === 401 && !given) signOut('The API key is no longer valid.')
  throw failure
}

/** The failure that an error answer describes. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const said = await response.json().catch(() => ({}))
  const { error = 'unavailable', msg = `The service answered ${response.status}`, position } = said
  const wait = waitOf(response.headers)
  const words =
    wait < leastToldWait || /again in \d/.test(msg)
      ? msg
      : `${sentence(msg)} The service asks to wait ${duration(wait)}.`
  return new ApiFailure(response.status, error, words, { position, wait })
}

/** A shorter wait is over before its words are read. */
const leastToldWait = 5

/** The seconds of the header Retry-After; 0: there are none. */
const waitOf = (headers: Headers): number => Number(headers.get('retry-after')) || 0

/** The newest write. A double click asks for the same again, and gets the answer of the first: nothing is done twice. */
let written: { what: string; answer: Promise<unknown> } | undefined
const sameWriteMs = 1000

/** The JSON of an answer. */
export async function requestJson<T>(path: string, asking: Asking = {}): Promise<T> {
  if ((asking.method ?? 'GET') === 'GET' || asking.signal) return jsonOf(await request(path, asking))
  const { method, body, key: given } = asking
  const what = JSON.stringify([method, path, body, given])
  if (written?.what !== what) {
    const own = { what, answer: request(path, asking).then(jsonOf<T>) }
    const forget = () => {
      if (written === own) written = undefined
    }
    written = own
    own.answer.then(() => setTimeout(forget, sameWriteMs), forget)
  }
  return written.answer as Promise<T>
}

/** The content of an answer. A proxy or the sign-in of a network may answer a page instead. */
export const jsonOf = <T>(response: Response): Promise<T> =>
  response.json().catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ApiFailure(502, 'unreadable', 'The answer did not come from the service')
  })
