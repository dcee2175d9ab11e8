import type { FastifyInstance } from 'fastify'

/**
 * Returns the address under which clients reach the service: the configured one, or without it the one on which it listens. The header `Host`
 * does not count, since it can name any site.
 */
export function ownAddress(
  app: Pick<FastifyInstance, 'addresses' | 'listeningOrigin'>,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl
  if (app.addresses().length === 0) return 'http://localhost' // inside a worker
  return app.listeningOrigin.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')
}
