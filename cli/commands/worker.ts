import { join } from 'node:path'
import fastify from 'fastify'
import { pino } from 'pino'
import { health } from '../../platform/http/health.ts'
import { type Metrics, openMetrics } from '../../platform/http/prometheus.ts'
import { openCarriers } from '../../src/companion/outbox/carriers.ts'
import type { CallApi } from '../../src/companion/schedule/execute.ts'
import { startWorkers, type Workers } from '../../workers/start.ts'
import type { Config } from '../config.ts'
import { untilStopped } from '../shutdown.ts'
import { openStores, type Stores } from '../stores.ts'
import { openApp } from './serve.ts'

/** Starts the workers on open databases; their logs go to stderr. */
export async function startConfiguredWorkers(
  config: Config,
  stores: Stores,
  metrics: Metrics,
): Promise<Workers> {
  // Scheduled jobs call the API through a copy of it in this process, which listens nowhere.
  const api = await openApp(config, stores)
  const workers = await startWorkers({
    ...stores,
    redisUrl: config.redisUrl,
    snapshotInterval: config.snapshotInterval,
    spoolRetention: config.spoolRetention,
    carriers: openCarriers({ ...config, folder: join(config.dataDir, 'outbox') }),
    callApi: callThrough(api.app),
    metrics,
    log: pino({ level: config.logLevel }, pino.destination(2)),
  })
  return {
    async close(deadlineMs) {
      await workers.close(deadlineMs)
      await api.close()
    },
  }
}

/** Calls endpoints as a request would reach them. */
export const callThrough =
  (app: Awaited<ReturnType<typeof openApp>>['app']): CallApi =>
  async ({ method, url, key, body }) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await app.inject({ method, url, headers, ...(method !== 'GET' && { payload: body }) })
    return { status: response.statusCode, body: response.body }
  }

/** `rackrate worker`: takes snapshots and loads them, sends mail and runs scheduled jobs, without the API. Any number may run. */
export async function worker(config: Config): Promise<void> {
  const stores = await openStores(config)
  const metrics = openMetrics()
  const workers = await startConfiguredWorkers(config, stores, metrics)
  const probes = await listenForProbes(config, stores, metrics)
  console.log(`rackrate worker takes a snapshot every ${config.snapshotInterval} s`)
  await untilStopped(async () => {
    await workers.close(config.shutdownTimeoutMs / 3)
    await probes?.close()
    await stores.close()
  }, config.shutdownTimeoutMs)
}

/** /healthz, /readyz and /metrics of a process that has no API. */
async function listenForProbes({ host, workerPort }: Config, stores: Stores, metrics: Metrics) {
  if (workerPort === undefined) return undefined
  const probes = fastify()
  await probes.register(health, { ...stores, metrics })
  await probes.listen({ host, port: workerPort })
  return probes
}
