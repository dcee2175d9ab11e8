import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { authentication } from '../security/auth.ts'
import type { Vault } from '../security/vault.ts'
import type { ClickHouse } from '../stores/clickhouse.ts'
import type { Postgres } from '../stores/postgres.ts'
import { bodyChecks } from './body-checks.ts'
import { watchConnections } from './connections.ts'
import { answerErrors, answerFrameworkError, answerUnreadable } from './error-answers.ts'
import { tagReads } from './etag.ts'
import { health, type OtherMarket } from './health.ts'
import { type LimitOptions, openLimits } from './limits.ts'
import { listParameters } from './list-parameters.ts'
import { openApi } from './openapi.ts'
import { givePlaces } from './places.ts'
import { type Metrics, openMetrics } from './prometheus.ts'
import { plainMessage } from './request-problems.ts'
import { cacheResponses } from './response-cache.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { bySource } from './source-routes.ts'

export interface ServerOptions extends LimitOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  clock: Clock
  vault: Vault
  /** The markets of all sources except the first. */
  markets?: readonly OtherMarket[]
  /** Seconds between slots. */
  snapshotInterval: number
  /**
   * Number of proxies in front of the service that add to X-Forwarded-*. Earlier entries come from the client and are ignored.
   */
  trustedProxies: number
  /** Requests of one account at the same time, per process. */
  parallelRequests: number
  /** The same for one key. Default: no limit of its own. */
  keyParallelRequests?: number | undefined
  /** The URL at which clients reach this service; undefined: the URL of the OpenAPI document's request. */
  publicUrl?: string | undefined
  /** The metrics of the process. Default: new ones. */
  metrics?: Metrics | undefined
  logLevel: string
  /** Opens a span for each request. */
  tracing?: boolean
}

/** Time limit of a handler, unless its route sets another one. */
const handlerTimeoutMs = 25_000
/** Time limit of the address and the headers of a request. */
const headTimeoutMs = 20_000
/** Time that a silent connection outlasts its handler, so that the client receives an answer. */
const graceMs = 5000
/** A browser opens six connections and a program some ten: this allows an office behind one address. */
const mostConnectionsOfAddress = 500

/**
 * Builds the parts that every service needs: keys, limits, error answers, OpenAPI document, health, logs. The caller registers
 * the routes.
 */
export async function buildServer(options: ServerOptions) {
  const plain = fastify({
    logger: { level: options.logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: 1024 * 1024,
    handlerTimeout: handlerTimeoutMs,
    connectionTimeout: handlerTimeoutMs + graceMs,
    requestTimeout: 30_000,
    // Half a head of a silent client is answered before its connection times out.
    http: { headersTimeout: headTimeoutMs, connectionsCheckingInterval: 5000 },
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // While it stops, requests on open connections are answered, with "Connection: close".
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500, constraints: { source: bySource } },
    genReqId: requestIdOf,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerUnreadable,
  })
  const app = plain.withTypeProvider<ZodTypeProvider>()
  if (options.tracing) {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    // A span for each hook would be most of a trace. The name of a handler would be source text.
    const instrumentation = new FastifyOtelInstrumentation({
      instrumentHooks: false,
      lifecycleHook: (span, { hookName, request }) =>
        void span.updateName(`${hookName} ${request.routeOptions.url}`),
      ignorePaths: ({ url }) => ['/healthz', '/readyz', '/metrics'].includes(url),
    })
    await app.register(instrumentation.plugin())
  }
  z.config({ customError: plainMessage })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const { postgres, clickhouse, clock, snapshotInterval, markets = [], metrics = openMetrics() } = options
  const limits = openLimits(options, metrics)
  answerErrors(plain, limits)
  app.decorate('countKeyTest', limits.countKeyTest)

  app.addHook('onRequest', async (request, reply) => {
    const { handlerTimeout } = request.routeOptions
    if (handlerTimeout > handlerTimeoutMs)
      reply.raw.setTimeout(handlerTimeout + graceMs, () => request.raw.destroy())
    reply.header('x-request-id', request.id)
    // Answers belong to one account. A route may set another value.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip } = request
    const route = request.routeOptions.url
    request.log.info(
      { method, route, ip, status: reply.statusCode, ms: reply.elapsedTime, key: request.caller?.keyId },
      'request',
    )
  })
  setSecurityHeaders(plain)
  tagReads(plain)
  await app.register(bodyChecks)
  await app.register(listParameters)
  app.addHook('onRequest', limits.countAnonymous)
  await app.register(health, { postgres, clickhouse, clock, snapshotInterval, metrics, markets })
  await app.register(authentication, { postgres, limits })
  givePlaces(plain, { ...options, limits })
  app.addHook('preHandler', limits.countMail)
  // Spans cover requests that reach the framework.
  if (!options.tracing)
    cacheResponses(plain, { ...options, limits, metrics, requestIdOf, knownCaller: app.knownCaller })
  const mostOfAddress = options.trustedProxies > 0 ? Number.POSITIVE_INFINITY : mostConnectionsOfAddress
  app.addHook('preClose', watchConnections(app.server, { mostOfAddress }))
  await app.register(openApi, { publicUrl: options.publicUrl })
  return app
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID()
}
