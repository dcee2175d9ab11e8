import type { FastifyInstance } from 'fastify'
import { invalidArgs } from '../../../platform/errors.ts'

/** Calls on instances that the marketplace serves and this API does not. Official clients schedule them. */
const ofMarketplace = /^\/api\/v0\/instances\/./

/** Throws 400 for the path of a job that no run could call. */
export function requireEndpoint(app: Pick<FastifyInstance, 'methodsOf'>, path: string): void {
  if (ofMarketplace.test(path) || app.methodsOf(path).length > 0) return
  throw invalidArgs(`api_endpoint must be an endpoint that exists. This API has no ${path}`)
}
