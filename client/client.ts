import createFetchClient from 'openapi-fetch'
import type { paths } from './schema.ts'

export interface ClientOptions {
  /** Where the service is, with its path if it has one: `https://api.example.com/`. */
  baseUrl: string
  /** An API key. */
  key: string
}

/**
 * A client that knows every operation of the API, its parameters and answers: `client.GET('/api/v0/metrics/gpu/history', …)`. An answer is
 * `{data}` or `{error}`, never thrown; only a network failure rejects.
 */
export const createClient = ({ baseUrl, key }: ClientOptions) =>
  createFetchClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
