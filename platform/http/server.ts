import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { authentication } from '../security/auth.ts'
import type { ClickHouse } from '../stores/clickhouse.ts'
import type { Postgres } from '../stores/postgres.ts'
import { bodyChecks } from './body-checks.ts'
import { answerErrors, answerFrameworkError } from './error-answers.ts'
import { health } from './health.ts'
import { openApi } from './openapi.ts'
import { type Metrics, openMetrics } from './prometheus.ts'
import { plainMessage } from './request-problems.ts'

export interface ServerOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  /** Where processes share the rate limit; without it each counts for itself. */
  redis?: Redis | undefined
  /** Requests per minute and key. */
  rateLimit: number
  trustProxy: boolean
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
    trustProxy: options.trustProxy,
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
  }).withTypeProvider<ZodTypeProvider>()
  if (options.tracing) {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    await app.register(new FastifyOtelInstrumentation().plugin())
  }
  z.config({ customError: plainMessage })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  answerErrors(app as never)

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
  const { postgres, clickhouse, metrics = openMetrics() } = options
  await app.register(health, { postgres, clickhouse, metrics })
  await app.register(authentication, { postgres })
  await app.register(rateLimit, {
    hook: 'preHandler',
    max: options.rateLimit,
    timeWindow: '1 minute',
    ...(options.redis && { redis: options.redis, nameSpace: 'limit-', skipOnError: true }),
    // Pages and probes need no key and have no caller.
    allowList: (request) => request.caller === undefined,
    keyGenerator: (request) => request.caller?.keyId ?? request.ip,
    errorResponseBuilder: (_request, { after }) =>
      new ApiError(429, 'too_many_requests', `Too many requests with this key. Try again in ${after}.`),
  })
  await app.register(openApi)
  return app
}
