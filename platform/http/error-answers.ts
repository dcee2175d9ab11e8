import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorStatus } from '../errors.ts'
import { awayServer, unknownDatabase } from '../stores/clickhouse.ts'
import { endWith } from './connections.ts'
import type { RequestLimits } from './limits.ts'
import { describeProblems } from './request-problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error code of this route's 500. Default: `internal_error`. */
    failure?: string
  }
  interface FastifyInstance {
    /** The methods that a path of the API supports, for any parameters. None: there is no such endpoint. */
    methodsOf(url: string): string[]
  }
}

const body = (error: string, msg: string) => ({ success: false as const, error, msg })

const codes: Record<number, string> = {
  400: 'invalid_args',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  413: 'too_large',
  414: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'too_large',
}

/** The last request of a connection that was answered. */
const lastAnswered = new WeakMap<Socket, IncomingMessage>()

/**
 * Gives every error answer the body that the contract documents. Details of a 5xx are logged and never sent. Register it before
 * the routes.
 */
export function answerErrors(app: FastifyInstance, limits: RequestLimits): void {
  const methodsOf = collectMethods(app)
  app.decorate('methodsOf', methodsOf)
  app.addHook('onResponse', async ({ raw }) => void lastAnswered.set(raw.socket, raw))
  app.setErrorHandler<FastifyError>(async (error, request, reply) =>
    answer((await limits.countRefused(error, request)) as FastifyError, request, reply),
  )
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url)
    if (methods.length === 0) return reply.code(404).send(body('not_found', 'No such endpoint'))
    return reply
      .code(405)
      .header('allow', methods.join(', '))
      .send(body('method_not_allowed', `This endpoint accepts ${methods.join(', ')}`))
  })
}

/** The methods that a path of the API supports, for any parameters. */
function collectMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (!url.startsWith('/api/') || schema?.hide) return
    const pattern = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}/?(\\?|$)`)
    routes.push({ pattern, methods: [method].flat() })
  })
  return (url) => {
    const methods = routes.filter(({ pattern }) => pattern.test(url)).flatMap((route) => route.methods)
    return [...new Set(methods)].sort()
  }
}

/** Answers errors before a route is found, such as a malformed URL. */
export const answerFrameworkError = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  reply.header('x-request-id', request.id)
  // The framework's message would repeat the whole URL.
  const status = (error.statusCode ?? 400) as ErrorStatus
  answer(
    new ApiError(status, codes[status] ?? 'invalid_args', 'The URL is malformed or too long') as never,
    request,
    reply,
  )
}

const unreadable = {
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers are larger than 16 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
} satisfies Record<string, [status: number, msg: string]>

/** Answers bytes that the HTTP parser refuses. There is no request yet. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  // A request that was answered before its body had arrived gets no second answer.
  const isAnswered = lastAnswered.get(socket)?.complete === false
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) return void socket.destroy()
  const { [error.code ?? '']: known }: Record<string, [status: number, msg: string]> = unreadable
  const [status, msg] = known ?? [400, 'The request is not valid HTTP']
  const text = JSON.stringify(body(codes[status] ?? 'invalid_args', msg))
  endWith(
    socket,
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) {
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    if (error.statusCode === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(error.statusCode).send({ ...body(error.code, error.message), ...error.details })
  }
  if (error.validation)
    return reply
      .code(400)
      .send(body('invalid_args', describeProblems(error.validation, error.validationContext)))
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return reply.code(status).send(body(codes[status] ?? 'invalid_args', error.message))
  if (request.raw.complete === false && (request.raw.destroyed || error.code === 'FST_ERR_HANDLER_TIMEOUT')) {
    request.log.info({ reason: error.message }, 'the request did not arrive, or not in time')
    // The rest of the body would be read as the next request.
    reply.header('connection', 'close')
    return reply.code(408).send(body('timeout', unreadable.ERR_HTTP_REQUEST_TIMEOUT[1]))
  }
  if (isOutage(error)) {
    request.log.warn({ err: error }, 'a database cannot be reached')
    return unavailable(reply, 1, 'The service cannot reach its data right now. Try again.')
  }
  if (error.code === 'FST_ERR_HANDLER_TIMEOUT') {
    request.log.warn({ err: error }, 'the answer took too long')
    return unavailable(reply, 5, 'The answer took too long. Try again, or request less data.')
  }
  // If the client has closed the connection, this is mostly the reason for the failure.
  if (reply.raw.destroyed) request.log.info({ reason: error.message }, 'the client closed the connection')
  else request.log.error({ err: error }, 'request failed')
  const { failure = 'internal_error' } = request.routeOptions.config
  return reply.code(500).send(body(failure, `Internal error. Quote request id ${request.id}.`))
}

const unavailable = (reply: FastifyReply, retryAfter: number, msg: string) =>
  reply.code(503).header('retry-after', retryAfter).send(body('unavailable', msg))

// A ClickHouse without its database or without a server of its cluster, connection failures of pg and of the ClickHouse client (Node's codes), and PostgreSQL's shutdown and too-many-connections classes.
const outageCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0\d|53300|08\w{3})$/
const outageTexts =
  /Connection terminated|timeout exceeded when trying to connect|socket hang up|Timeout error/

function isOutage(error: FastifyError): boolean {
  const causes = error instanceof AggregateError ? error.errors : [error]
  return causes.some(
    ({ code = '', message = '' }) =>
      code === unknownDatabase || awayServer.has(code) || outageCodes.test(code) || outageTexts.test(message),
  )
}
