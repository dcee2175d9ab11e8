import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { hour } from '../../contract/durations.ts'
import { ApiError } from '../errors.ts'
import type { Metrics } from './prometheus.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a test of an account's key at a marketplace. Throws 429 when the account, or the site, has made too many. */
    countKeyTest(accountId: number): Promise<void>
  }
  interface FastifyContextConfig {
    /** The route needs no key and costs nothing, so no limit applies. */
    unlimited?: true
    /** The route sends mail to a person who has not signed in. */
    mailsStrangers?: true
  }
}

export interface LimitOptions {
  /** The store of counts that processes share. Without it, or while it is unreachable, each process counts for itself. */
  redis?: Redis | undefined
  /** Requests per minute and account, for all its keys together. */
  rateLimit: number
  /** Requests per minute and key, so that one program leaves some to the other keys of its account. Default: no limit of its own. */
  keyRateLimit?: number | undefined
  /**
   * Requests per minute and client address that need no key. Refused requests (401, 403) have a separate count with the same
   * limit.
   */
  addressRateLimit: number
  /** Tests of keys at marketplaces per hour. Default: `keyTestsPerHour`. */
  keyTests?: KeyTests | undefined
}

interface KeyTests {
  account: number
  /** For all accounts together: since the marketplace sees one address. */
  site: number
}

export type RequestLimits = ReturnType<typeof openLimits>

const windowSeconds = 60
/** Mails that one client address can request in an hour without a key. */
const mailsPerHour = 20
export const keyTestsPerHour: KeyTests = { account: 5, site: 60 }

/**
 * All limits on the number of requests. A request beyond one is answered with 429 and counted in
 * `rackrate_limited_requests_total`.
 */
export function openLimits(options: LimitOptions, { limitedRequests }: Metrics) {
  const account = openCounter('account', options.rateLimit, options.redis)
  const { keyRateLimit = options.rateLimit } = options
  const ofKey = openCounter('key', keyRateLimit, options.redis)
  const anonymous = openCounter('anonymous', options.addressRateLimit, options.redis)
  const refused = openCounter('refused', options.addressRateLimit, options.redis)
  const mails = openCounter('mails', mailsPerHour, options.redis, hour)
  const { keyTests = keyTestsPerHour } = options
  const accountKeyTests = openCounter('account-key-tests', keyTests.account, options.redis, hour)
  const siteKeyTests = openCounter('site-key-tests', keyTests.site, options.redis, hour)

  const tooMany = (limit: string, of: string, retryAfter: number) => {
    limitedRequests.inc({ limit })
    return new ApiError(
      429,
      'too_many_requests',
      `Too many requests ${of}. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
      { retryAfter },
    )
  }
  const headersOf = (limit: number, { remaining, resetSeconds }: Count) => ({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetSeconds,
  })
  const tooManyRefused = (seconds: number) =>
    tooMany('refused', 'without a valid key or permission from this address', seconds)

  return {
    /**
     * Counts a request with a valid key. `headers` are for its answer, and of the limit that is nearer. If its key or its account
     * has sent too many, the answer is `refusal()`. Then the request does not count for the account.
     */
    async countCaller({ accountId, keyId }: { accountId: number; keyId: number }) {
      const isLess = keyRateLimit < options.rateLimit
      const own = isLess ? await ofKey.count(`${keyId}`) : undefined
      if (own?.exceeded) {
        const refusal = () => tooMany('key', 'with this key', own.resetSeconds)
        return { headers: headersOf(keyRateLimit, own), refusal }
      }
      const all = await account.count(`${accountId}`)
      const refusal = () => tooMany('account', 'with the keys of this account', all.resetSeconds)
      const isNearer = own && own.remaining < all.remaining
      return {
        headers: isNearer ? headersOf(keyRateLimit, own) : headersOf(options.rateLimit, all),
        refusal: all.exceeded ? refusal : undefined,
      }
    },

    /** The error for a request of a key, an account, or an address without a key, that has too many others in progress. */
    tooManyAtOnce: () => tooMany('parallel', 'at the same time', 1),

    /** Counts a request that needs no key. Throws 429 when its address has sent too many. */
    async countAnonymous({ ip, routeOptions }: FastifyRequest): Promise<void> {
      const { permissions = 'none', unlimited } = routeOptions.config ?? {}
      if (permissions !== 'none' || unlimited) return
      const { exceeded, resetSeconds } = await anonymous.count(clientOf(ip))
      if (exceeded) throw tooMany('anonymous', 'without a key from this address', resetSeconds)
    },

    /** Counts a request that mails a stranger. Throws 429 when its address has sent too many. Only valid requests count. */
    async countMail({ ip, routeOptions }: FastifyRequest): Promise<void> {
      if (!routeOptions.config.mailsStrangers) return
      const { exceeded, resetSeconds } = await mails.count(clientOf(ip))
      if (exceeded) throw tooMany('mails', 'for mail from this address', resetSeconds)
    },

    /** Counts a test of a key at a marketplace. Throws 429 when the account, or the site, has made too many. */
    async countKeyTest(accountId: number): Promise<void> {
      const ofAccount = await accountKeyTests.count(`${accountId}`)
      if (ofAccount.exceeded)
        throw tooMany('key_tests', 'that test a marketplace key of this account', ofAccount.resetSeconds)
      const ofSite = await siteKeyTests.count('all')
      if (ofSite.exceeded)
        throw tooMany('key_tests', 'that test marketplace keys on this site', ofSite.resetSeconds)
    },

    /** Throws 429 when too many requests of the address were refused. Costs nothing: call it before looking up an unknown key. */
    checkRefused({ ip }: FastifyRequest): void {
      const seconds = refused.secondsLeft(clientOf(ip))
      if (seconds > 0) throw tooManyRefused(seconds)
    },

    /** Counts the error if it is a refusal. Returns the error to answer: 429 when the address had too many refusals. */
    async countRefused(error: Error, { ip }: FastifyRequest): Promise<Error> {
      if (!(error instanceof ApiError) || (error.statusCode !== 401 && error.statusCode !== 403)) return error
      const { exceeded, resetSeconds } = await refused.count(clientOf(ip))
      return exceeded ? tooManyRefused(resetSeconds) : error
    },
  }
}

interface Count {
  exceeded: boolean
  remaining: number
  /** Seconds until the count is reset. */
  resetSeconds: number
}

function openCounter(name: string, points: number, redis: Redis | undefined, duration = windowSeconds) {
  const options = { keyPrefix: `limit-${name}`, points, duration }
  const memory = new RateLimiterMemory(options)
  const counter = redis
    ? new RateLimiterRedis({
        ...options,
        storeClient: redis,
        insuranceLimiter: memory,
        rejectIfRedisNotReady: true,
      })
    : memory
  /** The time (ms of performance.now()) until which a key has no points left. A flood causes no request to Redis. */
  const spentUntil = new LRUCache<string, number>({ max: 10_000, ttl: duration * 1000 })
  const secondsLeft = (key: string) => Math.ceil(((spentUntil.get(key) ?? 0) - performance.now()) / 1000)

  return {
    secondsLeft,
    async count(key: string): Promise<Count> {
      const seconds = secondsLeft(key)
      if (seconds > 0) return { exceeded: true, remaining: 0, resetSeconds: seconds }
      try {
        const { remainingPoints, msBeforeNext } = await counter.consume(key)
        return { exceeded: false, remaining: remainingPoints, resetSeconds: Math.ceil(msBeforeNext / 1000) }
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result
        spentUntil.set(key, performance.now() + result.msBeforeNext)
        return { exceeded: true, remaining: 0, resetSeconds: Math.max(1, secondsLeft(key)) }
      }
    },
  }
}

/** The name of one client: an IPv4 address, or the /64 network of an IPv6 address, since a client has a whole network. */
export function clientOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip // A proxy may forward any text.
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  const [plain] = ip.split('%')
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`)}/64`
}
