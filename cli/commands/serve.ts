import { Redis } from 'ioredis'
import type { Metrics } from '../../platform/http/prometheus.ts'
import { buildApp } from '../../src/app.ts'
import { openController, polledByAgents } from '../../src/companion/copytool/controller.ts'
import { openWakeUp, prefixOf } from '../../workers/queues.ts'
import { openBoard } from '../../workers/queues-page.ts'
import type { Config } from '../config.ts'
import { untilStopped } from '../shutdown.ts'
import { openStores, type Stores } from '../stores.ts'

export type ServiceName = 'metrics' | 'companion'

export interface Listening {
  url: string
  close(): Promise<void>
}

/** The HTTP services on open databases, not listening yet. */
export async function openApp(
  config: Config,
  stores: Stores,
  { only, metrics }: { only?: ServiceName | undefined; metrics?: Metrics | undefined } = {},
) {
  const { databaseUrl, postgres, vault, analyst } = stores
  const { redisUrl } = config
  // It counts requests by the number of an API key, which is this database's.
  const keyPrefix = `${prefixOf(databaseUrl)}:`
  const redis = redisUrl ? new Redis(redisUrl, { maxRetriesPerRequest: 1, keyPrefix }) : undefined
  redis?.on('error', () => {}) // the rate limit lets requests pass while Redis is away
  const outbox = await openWakeUp(postgres, 'deliver', { databaseUrl, redisUrl })
  const controller = config.controllerUrl ? openController(config.controllerUrl) : polledByAgents
  const { snapshotInterval, publicUrl } = config
  const app = await buildApp(
    { ...config, ...stores, redis, metrics, tracing: config.tracesTo !== undefined },
    {
      ...(only !== 'companion' && { metrics: { snapshotInterval, analyst } }),
      ...(only !== 'metrics' && { companion: { vault, onOutbox: outbox.wake, controller, publicUrl } }),
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

/** Starts the HTTP services on open databases. */
export async function listen(
  config: Config,
  stores: Stores,
  { only, metrics }: { only?: ServiceName | undefined; metrics?: Metrics } = {},
): Promise<Listening> {
  const { app, close } = await openApp(config, stores, { only, metrics })
  const base = config.publicUrl ? new URL(config.publicUrl).pathname.replace(/\/$/, '') : ''
  const board =
    only === 'companion'
      ? undefined
      : openBoard(stores.postgres, { databaseUrl: stores.databaseUrl, redisUrl: config.redisUrl }, base)
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

/** `rackrate serve`: the API without workers. */
export async function serve(config: Config, { only }: { only?: ServiceName }): Promise<void> {
  const stores = await openStores(config)
  const listening = await listen(config, stores, { only })
  console.log(`rackrate serves ${only ?? 'metrics and companion'} at ${listening.url}`)
  await untilStopped(async () => {
    await listening.close()
    await stores.close()
  }, config.shutdownTimeoutMs)
}
