import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    bodyAsSent: unknown
  }
}

/** For `preValidation`: keeps the body as it was sent, since validation fills in defaults and turns ids into numbers. */
export async function keepBody(request: FastifyRequest): Promise<void> {
  request.bodyAsSent = structuredClone(request.body)
}
