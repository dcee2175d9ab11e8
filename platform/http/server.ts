import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as readOn } from 'node:timers/promises'
import fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { authentication } from '../security/auth.ts'
import type { ClickHouse } from '../stores/clickhouse.ts'
import type { Postgres } from '../stores/postgres.ts'
import { bodyChecks } from './body-checks.ts'
import { answerErrors, answerFrameworkError, answerUnreadable } from './error-answers.ts'
import { health, type OtherMarket } from './health.ts'
import { type LimitOptions, openLimits } from './limits.ts'
import { openApi } from './openapi.ts'
import { type Metrics, openMetrics } from './prometheus.ts'
import { plainMessage } from './request-problems.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { openShelf } from './shelf.ts'
import { bySource } from './source-routes.ts'

export interface ServerOptions extends LimitOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  /** Those of all sources but the first. */
  markets?: readonly OtherMarket[]
  /** Seconds between slots. */
  snapshotInterval: number
  /** How many proxies in front of the service add to X-Forwarded-*. The entries before theirs are the client's own and not believed. */
  trustedProxies: number
  /** The address under which clients reach this service; undefined: where they found the OpenAPI document. */
  publicUrl?: string | undefined
  /** The metrics of the process. Default: new ones. */
  metrics?: Metrics | undefined
  logLevel: string
  /** Opens a span for each request. */
  tracing?: boolean
}

/** What every service needs: keys, limits, error answers, OpenAPI document, health, logs. The caller registers the routes. */
export async function buildServer(options: ServerOptions) {
  const app = fastify({
    logger: { level: options.logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: 1024 * 1024,
    connectionTimeout: 30_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    handlerTimeout: 60_000,
    forceCloseConnections: 'idle',
    // While it stops, requests on open connections are answered, with "Connection: close".
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500, constraints: { source: bySource } },
    genReqId: requestIdOf,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerUnreadable,
  }).withTypeProvider<ZodTypeProvider>()
  if (options.tracing) {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    await app.register(new FastifyOtelInstrumentation().plugin())
  }
  z.config({ customError: plainMessage })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const { postgres, clickhouse, snapshotInterval, markets = [], metrics = openMetrics() } = options
  const limits = openLimits(options, metrics)
  answerErrors(app as never, limits)

  app.addHook('onRequest', async (request, reply) => {
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
  setSecurityHeaders(app as never)
  await app.register(bodyChecks)
  app.addHook('onRequest', limits.countAnonymous)
  await app.register(health, { postgres, clickhouse, snapshotInterval, metrics, markets })
  await app.register(authentication, { postgres, limits })
  // Spans are of requests that the framework sees.
  if (!options.tracing)
    openShelf(app as never, { ...options, limits, metrics, requestIdOf, knownCaller: app.knownCaller })
  app.addHook('preClose', endConnections(app.server))
  await app.register(openApi, { publicUrl: options.publicUrl })
  return app
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID()
}

const farewellMs = 1000

/**
 * Goes on answering for a moment before idle connections are closed: each answer asks its client to open a new connection, so that no
 * request is on its way on one that ends. A stop without open connections takes no longer. Connections on which nothing was ever asked are
 * not idle to Node, which would wait for them until they time out. Browsers open some ahead of need.
 */
function endConnections(server: Server): () => Promise<void> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return async () => {
    const opened = [...open] // those that come now may just be about to ask
    if (opened.length > 0) await pause(farewellMs)
    // On a busy machine a request may have come that was not read yet.
    await readOn()
    for (const socket of opened) if (socket.bytesRead === 0) socket.destroy()
  }
}
