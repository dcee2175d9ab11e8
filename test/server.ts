import type { Redis } from 'ioredis'
import type { SourceMarket } from '../cli/markets.ts'
import type { LimitOptions } from '../platform/http/limits.ts'
import { buildApp } from '../src/app.ts'
import { type Controller, polledByAgents } from '../src/companion/copytool/controller.ts'
import { createKeyFor } from '../src/companion/keys/key-for-role.ts'
import type { QueueReader } from '../src/market/recording/route.ts'
import type { DataRouteOptions } from '../src/publish/data/route.ts'
import { openSender, type SendHook } from '../src/rules/webhook/send.ts'
import { freshDatabases, type TestDatabases } from './database.ts'

export interface Answer {
  status: number
  headers: Record<string, unknown>
  body: never
}

export interface TestServer extends TestDatabases {
  app: Awaited<ReturnType<typeof buildApp>>
  adminKey: string
  /** GET with a key (the admin's unless given); the body parsed. */
  get(path: string, key?: string): Promise<Answer>
  /** Any method, with a JSON body when one is given. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, key: string, body?: unknown): Promise<Answer>
}

export interface TestServerOptions {
  rateLimit?: number
  keyRateLimit?: number
  addressRateLimit?: number
  parallelRequests?: number
  keyParallelRequests?: number
  keyTests?: LimitOptions['keyTests']
  trustedProxies?: number
  redis?: Redis
  snapshotInterval?: number
  seriesMaxAgeMs?: number
  openMarketMetrics?: boolean
  openData?: DataRouteOptions
  /** The markets of all sources except the first. */
  markets?: readonly SourceMarket[]
  controller?: Controller
  signInByMail?: boolean
  /** Hosts that webhooks may have although they are private. */
  privateHosts?: readonly string[]
  sendHook?: SendHook
  /** The states of the queues. */
  queues?: QueueReader
  /** Databases of the caller's own, who closes the server with them. */
  databases?: TestDatabases
}

/** The whole service on databases of its own. */
export async function startServer({
  rateLimit = 1_000_000,
  keyRateLimit,
  addressRateLimit = 1_000_000,
  parallelRequests = 1_000_000,
  keyParallelRequests,
  keyTests = { account: 1_000_000, site: 1_000_000 },
  trustedProxies = 0,
  redis,
  snapshotInterval = 300,
  controller = polledByAgents,
  signInByMail = true,
  privateHosts = [],
  sendHook = openSender({ privateHosts }),
  databases: given,
  markets = [],
  ...metrics
}: TestServerOptions = {}): Promise<TestServer> {
  const databases = given ?? (await freshDatabases())
  const shared = { vault: databases.vault, onOutbox: () => {}, publicUrl: undefined }
  const app = await buildApp(
    {
      ...databases,
      markets,
      snapshotInterval,
      rateLimit,
      keyRateLimit,
      addressRateLimit,
      parallelRequests,
      keyParallelRequests,
      keyTests,
      trustedProxies,
      redis,
      logLevel: 'warn',
    },
    {
      metrics: { adHoc: databases.adHoc, markets, ...metrics },
      companion: { ...shared, controller, signInByMail },
      alerts: { ...shared, privateHosts, send: sendHook },
    },
  )
  const { key: adminKey } = await createKeyFor(databases.postgres, { role: 'admin' })
  const send: TestServer['send'] = async (method, path, key, body) => {
    const response = await app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${key}` },
      ...(body !== undefined && { payload: body as object }),
    })
    const isJson = /json/.test(String(response.headers['content-type']))
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : response.body,
    } as never
  }
  return {
    ...databases,
    app,
    adminKey,
    send,
    get: (path, key = adminKey) => send('GET', path, key),
    async close() {
      await app.close()
      await databases.close()
    },
  }
}
