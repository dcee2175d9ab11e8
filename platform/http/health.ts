import fastifyPlugin from 'fastify-plugin'
import { Gauge } from 'prom-client'
import type { Clock } from '../clock.ts'
import { type ClickHouse, selectRows } from '../stores/clickhouse.ts'
import type { Postgres } from '../stores/postgres.ts'
import { one } from '../stores/rows.ts'
import { loadSql } from '../stores/sql-files.ts'
import { type Metrics, sourceLabel } from './prometheus.ts'

/** The databases of a market. */
interface MarketStores {
  postgres: Postgres
  clickhouse: ClickHouse
}

/** A market beside the first one of the site. */
export interface OtherMarket extends MarketStores {
  /** That of its source. */
  name: string
  /** Whether slots are to come. */
  isCollected: boolean
}

export interface HealthOptions extends MarketStores {
  clock: Clock
  markets?: readonly OtherMarket[]
  /** Seconds between slots. */
  snapshotInterval: number
  metrics: Metrics
}

interface Pipeline {
  /** Whether the site takes snapshots. */
  takes_snapshots: boolean
  spooled_slots: number
  pending_rollups: number
  /** Hours of the past whose flows are still to be made after an upgrade. */
  flow_hours_to_fill: number
  source: SourceState | null
}

/** How the source of the market does; its newest slot is null before the first one. */
interface SourceState {
  /** Requests since the last good one. */
  failures: number
  problem: string | null
  newest_slot: number | null
}

const timeoutMs = 3000
/** Intervals that the newest slot may be old. A process also gives the workers this time after its start. */
const patience = 3

/**
 * /healthz: the process runs. /readyz: it can work and slots arrive, or why not. /metrics: for Prometheus. None of them needs a key, and
 * the last two do their work at most once a second.
 */
export const health = fastifyPlugin<HealthOptions>(async (app, options) => {
  app.get('/healthz', { config: { unlimited: true }, schema: { hide: true } }, () => ({ status: 'ok' }))

  const readiness = oncePerSecond(readinessOf(options))
  app.get<{ Querystring: { exclude?: string } }>(
    '/readyz',
    { schema: { hide: true } },
    async ({ query }, reply) => {
      const answer = await readiness()
      const ready = answer.status === 'ok' || (answer.status === 'late' && query.exclude === 'slots')
      return reply.code(ready ? 200 : 503).send(answer)
    },
  )

  const { registry, requestSeconds } = options.metrics
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  addGauges(options)
  const report = oncePerSecond(() => registry.metrics())
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await report()),
  )
})

async function pipelineOf({ postgres }: MarketStores): Promise<Pipeline> {
  const { rows } = await postgres.query<Pipeline>(loadSql('postgres/queries/health/pipeline'))
  return one(rows)
}

async function newestSlotOf({ clickhouse }: MarketStores): Promise<number> {
  const query = 'SELECT toUnixTimestamp(max(slot)) AS slot FROM slots WHERE ready'
  const [row] = await selectRows<{ slot: number }>(clickhouse, query)
  return row?.slot ?? 0
}

/** What /readyz answers, for a process that starts now. */
function readinessOf(options: HealthOptions) {
  const { snapshotInterval, clock, markets = [] } = options
  const startedAt = performance.now()
  const longest = patience * snapshotInterval
  const stateOfMarket = async (market: MarketStores) => {
    const [spool, slot] = await Promise.allSettled([within(pipelineOf(market)), within(newestSlotOf(market))])
    const dependencies = { postgres: stateOf(spool), clickhouse: stateOf(slot) }
    if (spool.status === 'rejected' || slot.status === 'rejected')
      return { status: 'unavailable', dependencies }
    const { takes_snapshots, source, ...waiting } = spool.value
    const lag = lagOf(slot.value, clock)
    const late = takes_snapshots && lag > longest && performance.now() - startedAt > longest * 1000
    return {
      status: late ? 'late' : 'ok',
      ...(late && { reason: `The newest slot is ${lag} seconds old. Up to ${longest} seconds is normal.` }),
      ...(source && { source }),
      dependencies,
      ...waiting,
      newest_slot: slot.value,
      lag_seconds: lag,
    }
  }
  const collected = markets.filter(({ isCollected }) => isCollected)
  return async () => {
    const [first, ...others] = await Promise.all([stateOfMarket(options), ...collected.map(stateOfMarket)])
    if (others.length === 0) return first
    const sources = Object.fromEntries(collected.map(({ name }, index) => [name, others[index]]))
    const worst = ['unavailable', 'late'].find((status) =>
      [first, ...others].some((state) => state.status === status),
    )
    return { ...first, status: worst ?? 'ok', sources }
  }
}

/** Gauges of the pipeline, read when Prometheus asks. Those of the first market have no label. */
function addGauges(options: HealthOptions): void {
  const others = (options.markets ?? [])
    .filter(({ isCollected }) => isCollected)
    .map((market) => ({ market, labels: sourceLabel(market.name) }))
  const markets: { market: MarketStores; labels: { source?: string } }[] = [
    { market: options, labels: {} },
    ...others,
  ]
  const gauge = (name: string, help: string, read: (market: MarketStores) => Promise<number>) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [options.metrics.registry],
      // A value that cannot be read is left out; the others are reported.
      async collect() {
        this.reset()
        for (const { market, labels } of markets)
          await within(read(market)).then(
            (value) => this.set(labels, value),
            () => {},
          )
      },
    })
  gauge(
    'rackrate_newest_slot_timestamp_seconds',
    'The newest slot that answers show, unix seconds',
    newestSlotOf,
  )
  gauge('rackrate_slot_lag_seconds', 'Age of the newest slot that answers show', async (market) =>
    lagOf(await newestSlotOf(market), options.clock),
  )
  gauge(
    'rackrate_spooled_slots',
    'Slots in the spool that are not loaded into ClickHouse yet',
    async (market) => (await pipelineOf(market)).spooled_slots,
  )
  gauge(
    'rackrate_pending_rollups',
    'Ranges whose roll-up is not finished',
    async (market) => (await pipelineOf(market)).pending_rollups,
  )
  gauge(
    'rackrate_flow_hours_to_fill',
    'Hours of the past whose flows are still to be made after an upgrade',
    async (market) => (await pipelineOf(market)).flow_hours_to_fill,
  )
  gauge(
    'rackrate_source_failures',
    'Requests to the source of the market since the last one that gave a market',
    async (market) => (await pipelineOf(market)).source?.failures ?? 0,
  )
}

const lagOf = (slot: number, clock: Clock): number => Math.max(0, Math.floor(clock.now()) - slot)

const stateOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? { ok: true } : { ok: false, reason: reasonOf(result.reason) }

// Only the error code: a message may contain the address of the database.
const reasonOf = (error: { code?: string }): string => error?.code ?? 'no answer'

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('no answer in time'), { code: 'timeout' })),
      timeoutMs,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** The work, done at most once a second: all calls of a second get the same answer. */
function oncePerSecond<T>(work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= 1000) last = { at: now, answer: work() }
    return last.answer
  }
}
