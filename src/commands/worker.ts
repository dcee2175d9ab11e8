import { pino } from 'pino'
import { startWorkers } from '../../workers/run.ts'
import type { Config } from '../config.ts'
import { untilStopped } from '../shutdown.ts'
import { openStores, type Stores } from '../stores.ts'

/** Starts the workers on open databases; their logs go to stderr. */
export const startConfiguredWorkers = (config: Config, stores: Stores) =>
  startWorkers({
    ...stores,
    redisUrl: config.redisUrl,
    snapshotInterval: config.snapshotInterval,
    log: pino({ level: config.logLevel }, pino.destination(2)),
  })

/** `rackrate worker`: takes snapshots and loads them, without the API. Any number may run. */
export async function worker(config: Config): Promise<void> {
  const stores = await openStores(config)
  const workers = await startConfiguredWorkers(config, stores)
  console.log(`rackrate worker takes a snapshot every ${config.snapshotInterval} s`)
  await untilStopped(async () => {
    await workers.close(config.shutdownTimeoutMs / 3)
    await stores.close()
  }, config.shutdownTimeoutMs)
}
