import { key, signOut } from '../session.ts'
import { withSource } from '../source.ts'
import { hear } from './freshness.ts'

/** The base URL of the service, at whatever path it is mounted: addresses of pages have one segment. */
export const base = new URL('.', document.baseURI)

/** The reason why a request failed. `status` 0: the service cannot be reached. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  /** The position of an error in SQL, counted from 1. */
  readonly position: number | undefined

  constructor(status: number, code: string, message: string, position?: number) {
    super(message)
    this.status = status
    this.code = code
    this.position = position
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
  return new ApiFailure(response.status, error, msg, position)
}

/** The JSON of an answer. */
export async function requestJson<T>(path: string, asking?: Asking): Promise<T> {
  const response = await request(path, asking)
  return response.json()
}
