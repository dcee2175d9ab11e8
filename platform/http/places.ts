import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { toError } from '../../contract/failure.ts'
import { clientOf, type RequestLimits } from './limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Releases the place of the request: from here on it needs no database. */
    leavePlace(): void
  }
}

export interface PlaceOptions {
  /** Requests of one account at the same time, per process. */
  parallelRequests: number
  /** The same for one key. Default: no limit of its own. */
  keyParallelRequests?: number | undefined
  limits: RequestLimits
}

/**
 * Requests of one account that run at the same time, per process. A process has more sessions with either database (10 and 16),
 * so that one account leaves some to the others.
 */
const mostPlaces = 8

/**
 * Lets each account, and each address on routes without a key, have a few running requests. Some more wait, which costs memory
 * only. The others are answered with 429. A place is held until the handler has ended, even if it continues after its time or
 * without its client. Register it before the routes.
 */
export function givePlaces(
  app: FastifyInstance,
  { parallelRequests, keyParallelRequests = parallelRequests, limits }: PlaceOptions,
): void {
  const holders = new Map<string, { working: number; waiting: (() => void)[] }>()

  /** Requests of each key that work or wait. */
  const ofKeys = new Map<number, number>()

  /** Counts a request of a key. Returns a function that ends it. Throws 429 when too many work or wait. */
  function enter(keyId: number | undefined): () => void {
    if (keyId === undefined) return () => {}
    const others = ofKeys.get(keyId) ?? 0
    if (others >= keyParallelRequests) throw limits.tooManyAtOnce()
    ofKeys.set(keyId, others + 1)
    return () => {
      const left = (ofKeys.get(keyId) ?? 1) - 1
      if (left > 0) ofKeys.set(keyId, left)
      else ofKeys.delete(keyId)
    }
  }

  /** Waits for a place. Returns a function that leaves it. Throws 429 when too many wait. */
  async function take(name: string, keyId: number | undefined): Promise<() => void> {
    const holder = holders.get(name) ?? { working: 0, waiting: [] }
    if (holder.working + holder.waiting.length >= parallelRequests) throw limits.tooManyAtOnce()
    const end = enter(keyId)
    holders.set(name, holder)
    if (holder.working < mostPlaces) holder.working += 1
    else await new Promise<void>((resolve) => holder.waiting.push(resolve))
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      end()
      const next = holder.waiting.shift()
      if (next) return next()
      holder.working -= 1
      if (holder.working === 0) holders.delete(name)
    }
  }

  app.decorateRequest('leavePlace', () => {})
  const placed = new WeakSet<RouteHandlerMethod>()
  app.addHook('onRoute', (route) => {
    const { handler, url } = route
    // The route of HEAD shares the handler of GET.
    if (placed.has(handler) || !url.startsWith('/api/')) return
    route.handler = async function (request, reply) {
      const leave = await take(nameOf(request), request.caller?.keyId)
      request.leavePlace = leave
      try {
        // The request timed out, or its client left, while it waited.
        if (reply.sent || reply.raw.destroyed) return undefined
        const answer = await handler.call(this, request, reply)
        return reply.sent ? undefined : answer
      } catch (error) {
        if (!reply.sent) throw error
        request.log.info({ reason: toError(error).message }, 'the request failed after its answer')
        return undefined
      } finally {
        leave()
      }
    }
    placed.add(route.handler)
  })
}

const nameOf = ({ caller, ip }: FastifyRequest): string =>
  caller ? `account ${caller.accountId}` : `address ${clientOf(ip)}`
