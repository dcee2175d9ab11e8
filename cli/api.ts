import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Metrics } from '../platform/http/prometheus.ts'
import { buildApp } from '../src/app.ts'
import { openController, polledByAgents } from '../src/companion/copytool/controller.ts'
import type { QueueReader } from '../src/market/recording/route.ts'
import { openSender } from '../src/rules/webhook/send.ts'
import { openWakeUp, prefixOf } from '../workers/queues.ts'
import type { Config } from './config.ts'
import type { SourceMarket } from './markets.ts'
import type { SiteStores } from './stores.ts'

export type ServiceName = 'metrics' | 'companion'

export interface ApiOptions {
  /** Default: both services. */
  only?: ServiceName | undefined
  metrics?: Metrics | undefined
  /** True for a simulated market, whose visitors can read all mail. */
  isDemo?: boolean
  /** The markets of all sources except the first. */
  markets?: readonly SourceMarket[]
  /** The states of the queues; undefined: they are not served. */
  queues?: QueueReader | undefined
}

export interface Listening {
  url: string
  close(): Promise<void>
}

/** The HTTP services on open databases. The app does not listen yet. */
export async function openApp(
  config: Config,
  stores: SiteStores,
  { only, metrics, isDemo = false, markets = [], queues: queueStates }: ApiOptions = {},
) {
  const { queues, postgres, vault, adHoc } = stores
  // The limits count requests by account id, and account ids are unique within one database.
  const keyPrefix = `${prefixOf(queues.databaseUrl)}:`
  const redis = queues.redisUrl
    ? new Redis(queues.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: 500, keyPrefix })
    : undefined
  redis?.on('error', () => {}) // each process counts for itself while Redis is unavailable
  const outbox = await openWakeUp(postgres, 'mail', queues)
  const controller = config.controllerUrl ? openController(config.controllerUrl) : polledByAgents
  const {
    publicUrl,
    openMarketMetrics,
    openData,
    webhookPrivateHosts: privateHosts,
    autopilotCommand,
  } = config
  const others = markets.map((market) => ({ ...market, openData: openDataOf(openData, market.name) }))
  const shared = { vault, onOutbox: outbox.wake, publicUrl }
  const app = await buildApp(
    { ...config, ...stores, markets, redis, metrics, tracing: config.tracesTo !== undefined },
    {
      ...(only !== 'companion' && {
        metrics: { adHoc, openMarketMetrics, openData, markets: others, queues: queueStates },
      }),
      ...(only !== 'companion' && {
        alerts: { ...shared, privateHosts, send: openSender({ privateHosts }), autopilotCommand },
      }),
      ...(only !== 'metrics' && {
        companion: { ...shared, controller, signInByMail: config.smtp !== undefined || isDemo },
      }),
    },
  )
  return {
    app,
    async close() {
      await app.close()
      await outbox.close()
      redis?.disconnect()
    },
  }
}

/** The folder with the files of a source's market. Each source has its own. */
export const openDataOf = (openData: Config['openData'], source: string): Config['openData'] =>
  openData && { ...openData, folder: join(openData.folder, 'sources', source) }

/** Starts the HTTP services on open databases. The metrics service also shows the queues. */
export async function listen(config: Config, stores: SiteStores, options: ApiOptions): Promise<Listening> {
  const board =
    options.only === 'companion' ? undefined : await openBoard(config, stores, options.markets ?? [])
  const store = stores.queues.redisUrl ? ('Redis' as const) : ('PostgreSQL' as const)
  const { app, close } = await openApp(config, stores, {
    ...options,
    queues: board && { store, read: board.read },
  })
  if (board) await app.register(board.plugin)
  await app.listen({ host: config.host, port: config.port })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${port}`,
    async close() {
      await close()
      await board?.close()
    },
  }
}

async function openBoard({ publicUrl }: Config, stores: SiteStores, markets: readonly SourceMarket[]) {
  const { openBoard } = await import('../workers/queues-page.ts')
  const collected = markets.filter(({ isCollected }) => isCollected)
  return openBoard(stores, collected, publicUrl ? new URL(publicUrl).pathname.replace(/\/$/, '') : '')
}
