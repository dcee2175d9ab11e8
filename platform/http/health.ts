import fastifyPlugin from 'fastify-plugin'
import { Gauge } from 'prom-client'
import { type ClickHouse, selectRows } from '../stores/clickhouse.ts'
import type { Postgres } from '../stores/postgres.ts'
import { one } from '../stores/rows.ts'
import { loadSql } from '../stores/sql.ts'
import type { Metrics } from './prometheus.ts'

export interface HealthOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  metrics: Metrics
}

interface Pipeline {
  spooled_slots: number
  pending_rollups: number
}

const timeoutMs = 3000

/** /healthz: the process runs. /readyz: it can work, or why not. /metrics: for Prometheus. None of them needs a key. */
export const health = fastifyPlugin<HealthOptions>(async (app, { postgres, clickhouse, metrics }) => {
  const pipeline = async () => {
    const { rows } = await postgres.query<Pipeline>(loadSql('postgres/queries/series/pipeline_state'))
    return one(rows)
  }
  const newestSlot = async () => {
    const query = 'SELECT toUnixTimestamp(max(slot)) AS slot FROM slots WHERE ready'
    const [row] = await selectRows<{ slot: number }>(clickhouse, query)
    return row?.slot ?? 0
  }

  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const [spool, slot] = await Promise.allSettled([within(pipeline()), within(newestSlot())])
    const state = (one: PromiseSettledResult<unknown>) =>
      one.status === 'fulfilled' ? { ok: true } : { ok: false, reason: reasonOf(one.reason) }
    const ready = spool.status === 'fulfilled' && slot.status === 'fulfilled'
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ok' : 'unavailable',
      dependencies: { postgres: state(spool), clickhouse: state(slot) },
      ...(spool.status === 'fulfilled' && spool.value),
      ...(slot.status === 'fulfilled' && { newest_slot: slot.value, lag_seconds: lagOf(slot.value) }),
    })
  })

  const { registry, requestSeconds } = metrics
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // A value that cannot be read is left out; the others are reported.
      async collect() {
        this.reset()
        await within(read()).then(
          (value) => this.set(value),
          () => {},
        )
      },
    })
  gauge(
    'rackrate_newest_slot_timestamp_seconds',
    'The newest slot that answers show, unix seconds',
    newestSlot,
  )
  gauge('rackrate_slot_lag_seconds', 'Age of the newest slot that answers show', async () =>
    lagOf(await newestSlot()),
  )
  gauge(
    'rackrate_spooled_slots',
    'Slots in the spool that are not loaded into ClickHouse yet',
    async () => (await pipeline()).spooled_slots,
  )
  gauge(
    'rackrate_pending_rollups',
    'Ranges whose roll-up is not finished',
    async () => (await pipeline()).pending_rollups,
  )

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
})

const lagOf = (slot: number): number => Math.max(0, Math.floor(Date.now() / 1000) - slot)

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
