import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { Permission, Permissions } from '../../contract/permissions.ts'
import { forbidden, invalidKey } from '../errors.ts'
import type { RequestLimits } from '../http/limits.ts'
import type { Postgres } from '../stores/postgres.ts'
import { type Holder, requireAccess } from './access.ts'
import { findKey, type KeyRow } from './api-keys.ts'
import { intersect } from './permissions.ts'

/** The holder of the key of a request. */
export interface Caller extends Holder {
  keyId: number
  /** The account that the key acts for. Everything that the caller owns has this account. */
  accountId: number
  /** The person who holds the key. */
  createdBy: number
  hasActiveMachine: boolean
  /** The sources in which the account claims machines. */
  claimedSources: readonly string[]
  /** True if the first source is among them. */
  claimsFirst: boolean
  /** The permissions of the key. A team's key never has more than its holder's current role. */
  permissions: Permissions
  /** The expiry of the key; undefined: never. */
  expiresAt: Date | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A key needs one of these. `none`: no key is needed. Every route under /api must declare them. */
    permissions?: readonly Permission[] | 'none'
  }
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyInstance {
    /** The holder of the key in a header, if it was valid when looked up recently. */
    knownCaller(authorization: string | undefined): Caller | undefined
    /** Makes the next request look up the key's holder again, since the holder's rights have changed. */
    forgetCaller(authorization: string | undefined): void
  }
}

/** A revoked key or a changed role has an effect after at most this time. */
const cachedMs = 3000
/** A key that was valid within this time is looked up regardless of refused requests from its address. */
const rememberedMs = 3_600_000
const longestHeader = 200

/**
 * True if a host cannot see the market: it has no active machine, and claims no machine of the source. `source`: its name;
 * undefined: the first one, or the site's own market.
 */
export const needsMachine = (
  { isAdmin, hasActiveMachine, claimedSources, claimsFirst }: Caller,
  source: string | undefined,
): boolean =>
  !isAdmin && !hasActiveMachine && !(source === undefined ? claimsFirst : claimedSources.includes(source))

/** Requires a valid key with the declared permissions and access on every route under /api. */
export const authentication = fastifyPlugin<{ postgres: Postgres; limits: RequestLimits }>(
  async (app, { postgres, limits }) => {
    const callers = new LRUCache<string, { caller: Caller; freshUntil: number }>({
      max: 10_000,
      ttl: rememberedMs,
    })
    const unknown = new LRUCache<string, true>({ max: 10_000, ttl: cachedMs })

    app.decorate('knownCaller', (authorization) => {
      const known = callers.get(keyIn(authorization) ?? '')
      return known && known.freshUntil > performance.now() ? known.caller : undefined
    })

    app.decorate('forgetCaller', (authorization) => void callers.delete(keyIn(authorization) ?? ''))

    const identify = async (request: FastifyRequest): Promise<Caller> => {
      const key = keyIn(request.headers.authorization)
      const known = key && callers.get(key)
      if (known && known.freshUntil > performance.now()) return known.caller
      if (!known) limits.checkRefused(request)
      if (!key || unknown.has(key)) throw invalidKey()
      const row = await findKey(postgres, key)
      if (!row || (row.kind === 'team' && !row.role_permissions)) {
        callers.delete(key)
        unknown.set(key, true)
        throw invalidKey()
      }
      const caller = callerOf(row)
      callers.set(key, { caller, freshUntil: performance.now() + cachedMs })
      postgres.query('keys/touch', [caller.keyId]).catch((error) => request.log.warn({ err: error }))
      return caller
    }

    app.decorateRequest('caller')
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/api') && !route.config?.permissions) {
        throw new Error(`${String(route.method)} ${route.url} does not declare its permissions`)
      }
      if (route.config?.access && route.config.permissions === 'none')
        throw new Error(`${String(route.method)} ${route.url} declares access but takes no key`)
    })
    app.addHook('onRequest', async (request, reply) => {
      const { permissions: needed, access, refusal } = request.routeOptions.config
      if (!needed || needed === 'none') return
      request.caller = await identify(request)
      const { headers, refusal: exceeded } = await limits.countCaller(request.caller)
      reply.headers(headers)
      if (exceeded) throw exceeded()
      const { api } = request.caller.permissions
      if (!needed.some((permission) => api[permission] !== undefined)) {
        throw forbidden(`This key lacks the permission ${needed.join(' or ')}`)
      }
      if (access) requireAccess(request.caller, access, refusal)
    })
    // This runs after the validation, so that an invalid request is 400 for every caller.
    app.addHook('preHandler', async (request, reply) => {
      const { withoutMachine, source } = request.routeOptions.config
      if (!withoutMachine || !needsMachine(request.caller, source)) return
      return reply.send({ success: true, needs_machine: true, ...withoutMachine })
    })
  },
  { name: 'authentication' },
)

const keyIn = (authorization = ''): string | undefined =>
  authorization.length <= longestHeader ? /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] : undefined

const callerOf = (row: KeyRow): Caller => ({
  keyId: row.key_id,
  accountId: row.account_id,
  createdBy: row.created_by,
  kind: row.kind,
  isAdmin: row.is_admin,
  isHost: row.is_host,
  hasActiveMachine: row.has_active_machine,
  claimedSources: row.claimed_sources,
  claimsFirst: row.claims_first,
  expiresAt: row.expires_at ?? undefined,
  permissions: row.role_permissions ? intersect(row.permissions, row.role_permissions) : row.permissions,
})
