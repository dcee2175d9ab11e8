import { key, signOut } from '../session.ts'
import { withSource } from '../source.ts'
import { hear } from './freshness.ts'

/** Where the service is, whatever path it's mounted at: pages have one segment. */
export const base = new URL('.', document.baseURI)

/** Why a request has no answer. `status` 0: the service cannot be reached. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  /** For an error in SQL: where, counted from 1. */
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
  /** Instead of the visitor's own. */
  key?: string
}

/** Whether each source has its own answer. */
const isOfMarket = (path: string) => /^api\/v0\/metrics\/(gpu\/|live|machines|costs)/.test(path)

/** Asks the API with the visitor's key. Throws an ApiFailure unless the answer is a success; a key that is no longer valid signs out. */
export async function request(
  path: string,
  { method = 'GET', body, signal, key: given }: Asking = {},
): Promise<Response> {
  const response = await fetch(new URL(isOfMarket(path) ? withSource(path) : path, base), {
    method,
    // A kept answer is asked whether it still holds: a slot that has just landed is seen at once.
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
    hear(response.headers)
    return response
  }
  const failure = await failureOf(response)
  if (failure.status === 401 && !given) signOut('The API key is no longer valid.')
  throw failure
}

/** What an answer that is no success says. */
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
