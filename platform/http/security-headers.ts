import type { FastifyInstance, FastifyReply } from 'fastify'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // images in style sheets
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
]

/** Headers with the rules of browsers for an answer. They are constant, since none depends on the request. */
const headers = {
  'content-security-policy': policy.join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/**
 * Headers that let scripts of other sites read an answer without account data. Such scripts send no key: that would need a
 * preflight request, which is refused.
 */
const ofAnyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Retry-After, X-Request-Id, Rackrate-Step, Rackrate-Newest-Slot, Rackrate-Data-Age, Rackrate-Simulated, Rackrate-Rentals',
  'cross-origin-resource-policy': 'cross-origin',
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scripts of any site may read the answers. */
    anyOrigin?: boolean
  }
}

/** Lets other sites show an answer in a frame. */
export function allowFrames(reply: FastifyReply): void {
  const open = headers['content-security-policy'].replace("frame-ancestors 'none'", 'frame-ancestors *')
  reply.header('content-security-policy', open).removeHeader('x-frame-options')
}

/** Sets these headers on every answer. A route may set another value. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    if (request.routeOptions.config.anyOrigin) reply.headers(ofAnyOrigin)
    done()
  })
}
