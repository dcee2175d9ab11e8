import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The code of a 500 of this route; `internal_error` unless given. */
    failure?: string
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
}

/** Makes every failure answer in the contract's shape. Text of a failure that is ours never leaves the house. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => answer(error, request, reply))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(body('not_found', 'No such endpoint')))
}

/** For errors that happen before a route is known, such as a malformed URL. */
export const answerFrameworkError = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  reply.header('x-request-id', request.id)
  // The framework's own sentence repeats the URL, however long.
  const status = error.statusCode ?? 400
  answer(
    new ApiError(status, codes[status] ?? 'invalid_args', 'The URL is malformed or too long') as never,
    request,
    reply,
  )
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) {
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    return reply.code(error.statusCode).send({ ...body(error.code, error.message), ...error.details })
  }
  if (error.validation) return reply.code(400).send(body('invalid_args', sentence(error)))
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return reply.code(status).send(body(codes[status] ?? 'invalid_args', error.message))
  if (isOutage(error)) {
    request.log.warn({ err: error }, 'a database is away')
    return reply
      .code(503)
      .header('retry-after', '1')
      .send(body('unavailable', 'The service cannot reach its data right now, try again'))
  }
  // Nobody is there to hear it, and mostly that's why it failed.
  if (reply.raw.destroyed) request.log.info({ reason: error.message }, 'the caller left')
  else request.log.error({ err: error }, 'request failed')
  const { failure = 'internal_error' } = request.routeOptions.config
  return reply.code(500).send(body(failure, `Internal error. Quote request id ${request.id}.`))
}

// `body/templates/0/name Invalid input` → `templates.0.name: Invalid input`
function sentence(error: FastifyError): string {
  const [first] = error.validation ?? []
  if (!first) return 'Invalid request'
  const path = first.instancePath.split('/').filter(Boolean).join('.')
  return path ? `${path}: ${first.message}` : (first.message ?? 'Invalid request')
}

// Connection failures of pg and of the ClickHouse client (Node's codes), and PostgreSQL's shutdown and too-many-connections classes.
const outageCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0\d|53300|08\w{3})$/
const outageTexts =
  /Connection terminated|timeout exceeded when trying to connect|socket hang up|Timeout error/

function isOutage(error: FastifyError): boolean {
  const causes = error instanceof AggregateError ? error.errors : [error]
  return causes.some((cause) => outageCodes.test(cause.code ?? '') || outageTexts.test(cause.message ?? ''))
}
