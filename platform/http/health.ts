import fastifyPlugin from 'fastify-plugin'
import type { Clock } from '../clock.ts'
import { awayServer, unknownDatabase } from '../stores/clickhouse.ts'
import { describeFullDisk } from '../stores/disk.ts'
import type { Stores } from '../stores/stores.ts'
import { lagOf, reachPostgres, readNewestSlot, readPipeline, readRoom } from './pipeline.ts'
import { addPipelineGauges } from './pipeline-gauges.ts'
import type { Metrics } from './prometheus.ts'

/** A market beside the first one of the site. */
export interface OtherMarket extends Stores {
  /** The name of its source. */
  name: string
  /** True if the market is collected, so new slots are expected. */
  isCollected: boolean
}

export interface HealthOptions extends Stores {
  clock: Clock
  markets?: readonly OtherMarket[]
  /** Seconds between slots. */
  snapshotInterval: number
  metrics: Metrics
}

/** Intervals that the newest slot may be old. A process also allows the workers this time after its start. */
const patience = 3

/**
 * /healthz: the process runs. /readyz: it can work and slots arrive; otherwise the reason, and problems of the series or its
 * disk. /metrics: for Prometheus. None of them needs a key. The last two do their work at most once a second.
 */
export const health = fastifyPlugin<HealthOptions>(async (app, options) => {
  app.get('/healthz', { config: { unlimited: true }, schema: { hide: true } }, () => ({ status: 'ok' }))

  const readiness = oncePerSecond(readinessOf(options))
  const databaseReadiness = oncePerSecond(async () => {
    const [postgres] = await Promise.allSettled([reachPostgres(options)])
    const dependencies = { postgres: stateOf(postgres) }
    return { status: dependencies.postgres.ok ? 'ok' : 'unavailable', dependencies }
  })
  app.get<{ Querystring: { exclude?: string } }>(
    '/readyz',
    { schema: { hide: true } },
    async ({ query }, reply) => {
      const excluded = query.exclude?.split(',') ?? []
      const answer = await (excluded.includes('clickhouse') ? databaseReadiness() : readiness())
      // A degraded process still answers: its data, or its disk, needs the operator.
      const ready =
        ['ok', 'degraded'].includes(answer.status) || (answer.status === 'late' && excluded.includes('slots'))
      return reply.code(ready ? 200 : 503).send(answer)
    },
  )

  const { registry, countRequest } = options.metrics
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    countRequest({
      method: request.method,
      route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
  })
  const readGauges = addPipelineGauges(options)
  const report = oncePerSecond(async () => {
    await readGauges([options, ...collectedMarkets(options)])
    return registry.metrics()
  })
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await report()),
  )
})

const collectedMarkets = ({ markets = [] }: HealthOptions) => markets.filter(({ isCollected }) => isCollected)

/** Computes the answer of /readyz, for a process that starts now. */
function readinessOf(options: HealthOptions) {
  const { snapshotInterval, clock } = options
  const startedAt = performance.now()
  const longest = patience * snapshotInterval
  const stateOfMarket = async (market: Stores) => {
    const [spool, slot, disk] = await Promise.allSettled([
      readPipeline(market),
      readNewestSlot(market),
      readRoom(market),
    ])
    const dependencies = { postgres: stateOf(spool), clickhouse: stateOf(slot) }
    if (spool.status === 'rejected' || slot.status === 'rejected')
      return { status: 'unavailable', dependencies }
    const { takes_snapshots, source, damages, ...waiting } = spool.value
    const lag = lagOf(slot.value, clock)
    const late = takes_snapshots && lag > longest && performance.now() - startedAt > longest * 1000
    const room = disk.status === 'fulfilled' ? disk.value : undefined
    const full = describeFullDisk(room)
    const problems = [...(full ? [full] : []), ...sentencesOf(damages, false)]
    const mended = sentencesOf(damages, true)
    return {
      status: late ? 'late' : problems.length > 0 ? 'degraded' : 'ok',
      ...(late && { reason: `The newest slot is ${lag} seconds old. Up to ${longest} seconds is normal.` }),
      ...(problems.length > 0 && { problems }),
      ...(mended.length > 0 && { mended }),
      ...(room && { disk_room_bytes: room.room, disk_reserve_bytes: room.reserve }),
      ...(source && { source }),
      dependencies,
      ...waiting,
      newest_slot: slot.value,
      lag_seconds: lag,
    }
  }
  const collected = collectedMarkets(options)
  return async () => {
    const [first, ...others] = await Promise.all([stateOfMarket(options), ...collected.map(stateOfMarket)])
    if (others.length === 0) return first
    const sources = Object.fromEntries(collected.map(({ name }, index) => [name, others[index]]))
    const worst = ['unavailable', 'late', 'degraded'].find((status) =>
      [first, ...others].some((state) => state.status === status),
    )
    return { ...first, status: worst ?? 'ok', sources }
  }
}

const sentencesOf = (damages: readonly { problem: string; mended: boolean }[], mended: boolean) =>
  damages.flatMap((one) => (one.mended === mended ? [one.problem] : []))

const stateOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? { ok: true } : { ok: false, reason: reasonOf(result.reason) }

// Only the error code: a message may contain the address of the database.
function reasonOf(error: { code?: string }): string {
  const { code = 'no answer' } = error ?? {}
  if (code === unknownDatabase)
    return 'ClickHouse does not have the database. Restore a backup, or create it with `rackrate migrate`.'
  return awayServer.has(code) ? 'A server of the ClickHouse cluster is away.' : code
}

/** Runs the work at most once a second. All calls within a second get the same answer. */
function oncePerSecond<T>(work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= 1000) last = { at: now, answer: work() }
    return last.answer
  }
}
