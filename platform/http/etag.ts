import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** The ETag of an answer, derived from its content. */
export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** True if a client that sends this If-None-Match has the content already. */
export const hasContent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ??
  false

/** Gives every read an ETag, unless its route has set one. Answers 304 to clients that have the content. */
export function tagReads(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isRead || !isText || reply.statusCode !== 200) return done(null, payload)
    const etag = String(reply.getHeader('etag') ?? etagOf(payload))
    reply.header('etag', etag)
    if (!hasContent(request.headers['if-none-match'], etag)) return done(null, payload)
    reply.code(304)
    done(null, '')
  })
}
