import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { hasPrivateHost, hostOf } from '../../../platform/security/private-network.ts'
import { publicLookup, RefusedAddress } from '../../../platform/security/public-lookup.ts'

/** The result of a request. */
export interface Sent {
  /** Status of the answer; null: there was none. */
  status: number | null
  /** The reason why there was no answer. It reveals nothing about an address. */
  reason: 'refused_address' | 'no_answer' | null
}

/** True if the receiver has accepted it: any 2xx. */
export const isDelivered = ({ status }: Sent): boolean => status !== null && status >= 200 && status < 300

/** Sends a body to a URL by POST. It never throws. */
export type SendHook = (url: string, headers: Record<string, string>, body: string) => Promise<Sent>

export interface SendOptions {
  /** Hosts that may be private, and may be called without TLS: `127.0.0.1`, `receiver.internal`. */
  privateHosts: readonly string[]
  timeoutMs?: number
  /** Resolves the addresses of a name. Default: by its name servers. */
  resolve?: (host: string) => Promise<string[]>
}

/** Time limit for the name, the connection and the answer together. Shorter than the first pause before a retry. */
const usualTimeoutMs = 10_000

/** True if the text of a URL is allowed for a webhook. The addresses of its name are checked at each attempt. */
export function isAllowedAddress(url: string, privateHosts: readonly string[]): boolean {
  if (privateHosts.includes(hostOf(url))) return true
  return url.startsWith('https:') && !hasPrivateHost(url)
}

/** Calls hosts of the public internet only. A name is resolved and checked at every attempt. Redirects are not followed. */
export function openSender({ privateHosts, timeoutMs = usualTimeoutMs, resolve }: SendOptions): SendHook {
  return async (url, headers, body) => {
    if (!isAllowedAddress(url, privateHosts)) return { status: null, reason: 'refused_address' }
    const isFree = privateHosts.includes(hostOf(url))
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const status = await post(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'rackrate',
          connection: 'close',
        },
        agent: false, // Each attempt uses a new connection, to an address that it has checked.
        signal,
        ...(!isFree && { lookup: publicLookup(resolve) }),
        body,
      })
      return { status, reason: null }
    } catch (error) {
      return { status: null, reason: error instanceof RefusedAddress ? 'refused_address' : 'no_answer' }
    }
  }
}

/** The status of the answer. Its body is not read. */
const post = (url: string, { body, ...options }: RequestOptions & { body: string }): Promise<number> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    const request = send(url, options, (answer) => {
      resolve(answer.statusCode ?? 0)
      answer.destroy()
    })
    request.on('error', reject)
    request.end(body)
  })
