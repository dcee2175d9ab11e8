import { join } from 'node:path'
import fastify from 'fastify'
import { pino } from 'pino'
import type { Catalog } from '../collect/catalog.ts'
import { health } from '../platform/http/health.ts'
import type { Metrics } from '../platform/http/prometheus.ts'
import { adviseReserve, readDiskRoom } from '../platform/stores/disk.ts'
import { noteMarketDelay } from '../platform/stores/market-delay.ts'
import { openCarriers } from '../src/companion/outbox/carriers.ts'
import type { CallForJob } from '../src/companion/schedule/execute.ts'
import { openSender } from '../src/rules/webhook/send.ts'
import { marketQueues } from '../workers/schedule.ts'
import { startWorkers, type Workers } from '../workers/start.ts'
import { openApp, openDataOf } from './api.ts'
import type { Config } from './config.ts'
import type { SourceMarket } from './markets.ts'
import type { ConfiguredSource } from './site-sources.ts'
import type { SiteStores } from './stores.ts'

interface WorkersOfSite {
  metrics: Metrics
  /** Empty: the site records its own marketplace. */
  sources: readonly ConfiguredSource[]
  /** The markets of all sources except the first. */
  markets: readonly SourceMarket[]
  catalog: Catalog | undefined
}

/** Starts the workers on open databases, with queues of their own for each market. They log to stderr. */
export async function startConfiguredWorkers(
  config: Config,
  stores: SiteStores,
  { metrics, sources, markets, catalog }: WorkersOfSite,
): Promise<Workers> {
  // Scheduled jobs call the API inside this process, on an app that does not listen.
  const api = await openApp(config, stores, { markets })
  const log = pino({ level: config.logLevel }, pino.destination(2))
  await warnOfReserve(stores, log)
  await noteMarketDelay(stores.postgres, config.marketDelay)
  const shared = {
    vault: stores.vault,
    snapshotInterval: config.snapshotInterval,
    spoolRetention: config.spoolRetention,
    publicUrl: config.publicUrl,
    autopilotCommand: config.autopilotCommand,
    sendHook: openSender({ privateHosts: config.webhookPrivateHosts }),
    carriers: openCarriers({ ...config, folder: join(config.dataDir, 'outbox') }),
    callApi: callThrough(api.app),
    metrics,
  }
  const { openData } = config
  const [first] = sources
  const all = await Promise.all([
    startWorkers({
      ...stores,
      ...stores.queues,
      ...shared,
      source: first?.source,
      catalog,
      openData,
      markets,
      log,
    }),
    ...markets.map((market) =>
      startWorkers({
        ...market,
        ...market.queues,
        ...shared,
        source: sources.find(({ name }) => name === market.name)?.source,
        market: market.name,
        openData: openDataOf(openData, market.name),
        queueNames: marketQueues,
        log: log.child({ source: market.name }),
      }),
    ),
  ])
  return {
    async close(deadlineMs) {
      await Promise.all(all.map((workers) => workers.close(deadlineMs)))
      await api.close()
    },
  }
}

/** Warns of a ClickHouse server without a disk reserve: its merges may fill the disk. */
async function warnOfReserve({ clickhouse }: SiteStores, log: { warn: (text: string) => void }) {
  const advice = adviseReserve(await readDiskRoom(clickhouse))
  if (advice) log.warn(advice)
}

/** Calls endpoints of an app that does not listen, as a request would. */
export const callThrough =
  (app: Awaited<ReturnType<typeof openApp>>['app']): CallForJob =>
  async ({ method, url, key, body }) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await app.inject({ method, url, headers, ...(method !== 'GET' && { payload: body }) })
    return { status: response.statusCode, body: response.body }
  }

/** Serves /healthz, /readyz and /metrics of a process without the API. Undefined unless WORKER_PORT is set. */
export async function listenForProbes(
  { host, workerPort, snapshotInterval }: Config,
  stores: SiteStores,
  { metrics, markets }: Pick<WorkersOfSite, 'metrics' | 'markets'>,
) {
  if (workerPort === undefined) return undefined
  const probes = fastify()
  await probes.register(health, { ...stores, snapshotInterval, metrics, markets })
  await probes.listen({ host, port: workerPort })
  return probes
}
