import { Redis } from 'ioredis'
import { buildApp, type Services } from '../app.ts'
import type { Config } from '../config.ts'
import { untilStopped } from '../shutdown.ts'
import { openStores, type Stores } from '../stores.ts'

export interface Listening {
  url: string
  close(): Promise<void>
}

/** Starts the HTTP services on open databases. */
export async function listen(config: Config, stores: Stores, services: Services): Promise<Listening> {
  const redis = config.redisUrl ? new Redis(config.redisUrl, { maxRetriesPerRequest: 1 }) : undefined
  redis?.on('error', () => {}) // the rate limit lets requests pass while Redis is away
  const app = await buildApp({ ...config, ...stores, redis }, services)
  await app.listen({ host: config.host, port: config.port })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${port}`,
    async close() {
      await app.close()
      redis?.disconnect()
    },
  }
}

/** `rackrate serve`: the API without workers. */
export async function serve(config: Config, { only }: { only?: 'metrics' | 'companion' }): Promise<void> {
  const stores = await openStores(config)
  const services = { metrics: only !== 'companion', companion: only !== 'metrics' }
  const listening = await listen(config, stores, services)
  console.log(`rackrate serves ${only ?? 'metrics and companion'} at ${listening.url}`)
  await untilStopped(async () => {
    await listening.close()
    await stores.close()
  }, config.shutdownTimeoutMs)
}
