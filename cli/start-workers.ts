import { join } from 'node:path'
import fastify from 'fastify'
import { pino } from 'pino'
import type { Source } from '../collect/source.ts'
import { health } from '../platform/http/health.ts'
import type { Metrics } from '../platform/http/prometheus.ts'
import { openSender } from '../src/alerts/webhook/send.ts'
import { openCarriers } from '../src/companion/outbox/carriers.ts'
import type { CallApi } from '../src/companion/schedule/execute.ts'
import { startWorkers, type Workers } from '../workers/start.ts'
import { openApp } from './api.ts'
import type { Config } from './config.ts'
import type { Stores } from './stores.ts'

/** Starts the workers on open databases. Without a source they record the site's own marketplace. They log to stderr. */
export async function startConfiguredWorkers(
  config: Config,
  stores: Stores,
  { metrics, source }: { metrics: Metrics; source: Source | undefined },
): Promise<Workers> {
  // Scheduled jobs call the API inside this process, on an app that does not listen.
  const api = await openApp(config, stores)
  const workers = await startWorkers({
    ...stores,
    ...stores.queues,
    source,
    snapshotInterval: config.snapshotInterval,
    spoolRetention: config.spoolRetention,
    openData: config.openData,
    publicUrl: config.publicUrl,
    sendHook: openSender({ privateHosts: config.webhookPrivateHosts }),
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

/** Calls endpoints of an app that does not listen, as a request would. */
export const callThrough =
  (app: Awaited<ReturnType<typeof openApp>>['app']): CallApi =>
  async ({ method, url, key, body }) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await app.inject({ method, url, headers, ...(method !== 'GET' && { payload: body }) })
    return { status: response.statusCode, body: response.body }
  }

/** Serves /healthz, /readyz and /metrics of a process without the API. Undefined unless WORKER_PORT is set. */
export async function listenForProbes(
  { host, workerPort, snapshotInterval }: Config,
  stores: Stores,
  metrics: Metrics,
) {
  if (workerPort === undefined) return undefined
  const probes = fastify()
  await probes.register(health, { ...stores, snapshotInterval, metrics })
  await probes.listen({ host, port: workerPort })
  return probes
}
