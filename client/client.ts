import createFetchClient from 'openapi-fetch'
import type { paths } from './schema.ts'

export interface ClientOptions {
  /** The address of the service, with its path if it has one: `https://api.example.com/`. */
  baseUrl: string
  /** An API key. */
  key: string
}

/**
 * A client that knows every operation of the API, its parameters and its answers: `client.GET('/api/v0/metrics/gpu/history', …)`.
 * A call returns `{data}` or `{error}`. It rejects only when the network fails.
 */
export const createClient = ({ baseUrl, key }: ClientOptions) =>
  createFetchClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
