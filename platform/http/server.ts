import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { authentication } from '../security/auth.ts'
import type { ClickHouse } from '../stores/clickhouse.ts'
import type { Postgres } from '../stores/postgres.ts'
import { bodyChecks } from './body-checks.ts'
import { answerErrors, answerFrameworkError, answerUnreadable } from './error-answers.ts'
import { health } from './health.ts'
import { type LimitOptions, openLimits } from './limits.ts'
import { openApi } from './openapi.ts'
import { type Metrics, openMetrics } from './prometheus.ts'
import { plainMessage } from './request-problems.ts'

export interface ServerOptions extends LimitOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  /** Seconds between slots. */
  snapshotInterval: number
  /** How many proxies in front of the service add to X-Forwarded-*. The entries before theirs are the client's own and not believed. */
  trustedProxies: number
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
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID()
    },
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
  const { postgres, clickhouse, snapshotInterval, metrics = openMetrics() } = options
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
  await app.register(helmet, {
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': [`'none'`],
        'script-src': [`'self'`],
        'style-src': [`'self'`],
        'img-src': [`'self'`, 'data:'], // images in style sheets
        'connect-src': [`'self'`],
        'frame-ancestors': [`'none'`],
        'base-uri': [`'none'`],
        'form-action': [`'none'`],
      },
    },
  })
  await app.register(bodyChecks)
  app.addHook('onRequest', limits.countAnonymous)
  await app.register(health, { postgres, clickhouse, snapshotInterval, metrics })
  await app.register(authentication, { postgres, limits })
  await app.register(openApi)
  return app
}
