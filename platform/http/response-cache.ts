import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Caller } from '../security/auth.ts'
import type { RequestLimits } from './limits.ts'
import type { Metrics } from './prometheus.ts'

/** An answer that may be repeated. */
export interface Repeatable {
  /** Undefined: no body, as with a 304. */
  body: Buffer | undefined
  /** The unix second of its headers. */
  second: number
  /** True if the route would give the same answer now. */
  isCurrent(): boolean
}

declare module 'fastify' {
  interface FastifyReply {
    /** Set by a route whose answer depends only on the caller, the URL and the headers of `keyOf`. */
    repeatable?: Repeatable
  }
}

interface CachedResponse extends Repeatable {
  caller: Caller
  status: number
  route: string
  /** Names and values alternately, without headers of a single request. */
  headers: string[]
}

export interface ResponseCacheOptions {
  clock: Clock
  limits: RequestLimits
  metrics: Metrics
  trustedProxies: number
  requestIdOf(request: IncomingMessage): string
  /** The holder of a valid key that was looked up recently. */
  knownCaller(authorization: string | undefined): Caller | undefined
}

const mostBytes = 32 * 1024 * 1024
const longestKey = 2000
const ofOneRequest = /^(x-request-id|x-ratelimit-.*)$/

/**
 * Repeats an answer, before the framework, to the same caller within the same second. The framework's tenth of a millisecond is
 * most of the cost of a repeated request. Counts, limits and logs as the framework does. Other requests go to the framework.
 */
export function cacheResponses(app: FastifyInstance, options: ResponseCacheOptions): void {
  const { clock, limits, metrics, knownCaller, requestIdOf } = options
  const cached = new Map<string, CachedResponse>()
  let [second, bytes, isOpen] = [0, 0, true]
  const clearOld = () => {
    const now = Math.floor(clock.now())
    if (now === second) return
    cached.clear()
    ;[second, bytes] = [now, 0]
  }
  app.addHook('preClose', async () => {
    isOpen = false // From now on answers ask clients to close their connection.
  })

  app.addHook('onResponse', async (request, reply) => {
    const { repeatable } = reply
    if (!repeatable || request.method !== 'GET') return
    clearOld()
    const key = keyOf(request.raw)
    const size = (repeatable.body?.length ?? 0) + 2 * key.length
    if (repeatable.second !== second || key.length > longestKey || bytes + size > mostBytes) return
    if (!cached.has(key)) bytes += size
    const headers = Object.entries(reply.getHeaders()).filter(([name]) => !ofOneRequest.test(name))
    cached.set(key, {
      ...repeatable,
      caller: request.caller,
      status: reply.statusCode,
      route: request.routeOptions.url ?? 'none',
      headers: headers.flatMap(([name, value]) => [name, String(value)]),
    })
  })

  const find = (request: IncomingMessage): CachedResponse | undefined => {
    if (!isOpen || request.method !== 'GET') return undefined
    clearOld()
    const found = cached.get(keyOf(request))
    const isValid = found?.isCurrent() && found.caller === knownCaller(request.headers.authorization)
    return isValid ? found : undefined
  }

  const give = async (found: CachedResponse, request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now()
    const { status, route, caller, headers, body } = found
    const count = await limits.countCaller(caller)
    if (count.refusal) return false
    const reqId = requestIdOf(request)
    const own = Object.entries(count.headers).flatMap(([name, value]) => [name, String(value)])
    response.writeHead(status, ['x-request-id', reqId, ...own, ...headers]).end(body)
    const ms = performance.now() - started
    metrics.countRequest({ method: 'GET', route, status, seconds: ms / 1000 })
    const ip = proxyAddr(request, (_address, hop) => hop < options.trustedProxies) // The framework derives the address in the same way.
    app.log.info({ reqId, method: 'GET', route, ip, status, ms, key: caller.keyId }, 'request')
    return true
  }

  const [framework] = app.server.listeners('request')
  app.server.removeAllListeners('request').on('request', (request, response) => {
    const found = find(request)
    const pass = () => framework?.call(app.server, request, response)
    if (!found) pass()
    else give(found, request, response).then((given) => given || pass(), pass)
  })
}

/** The parts of a request that an answer may depend on. */
const keyOf = ({ url, headers }: IncomingMessage): string =>
  `${headers.authorization}\n${headers['accept-encoding']}\n${headers['if-none-match']}\n${url}`
