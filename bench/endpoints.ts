import { randomUUID } from 'node:crypto'
import type { QueryParams } from '@clickhouse/client'
import { publishDays } from '../ingest/publish-days.ts'
import type { ServerOptions } from '../platform/http/server.ts'
import { createKey } from '../platform/security/api-keys.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { buildApp } from '../src/app.ts'
import { storeComparables } from '../src/hosts/machines/comparables.ts'
import { watchSeries } from '../src/market/market-query/series.ts'
import {
  endsOf,
  fetchAnswer,
  type Measured,
  quantile,
  readOf,
  round,
  type SeriesEnds,
  timeOf,
} from './measure.ts'

export interface EndpointsOptions {
  server: ServerOptions
  /** The key of an admin. */
  key: string
}

type Fields = Record<string, number | string>

/** An endpoint with the parameters of its n-th request. All requests differ. */
interface Endpoint {
  name: string
  path: string
  question?: (turn: number, ends: SeriesEnds) => Fields
  /** True if there are no such parameters: a new server answers each request. */
  alone?: boolean
  /** True if each request is sent by another host for its own machines. */
  own?: boolean
}

const questions = 8
const target = 15
const [hour, day] = [3600, 86_400]
const three = 'RTX 5090,RTX 4090,RTX 3090'

/** A range that ends n steps before the newest slot. */
const lastDays =
  (days: number, step: number, more: Fields = {}) =>
  (turn: number, { newest }: SeriesEnds): Fields => {
    const end = (Math.floor(newest / step) - turn) * step
    return { gpu_name: three, verified: 'all', ...more, start: end - days * day, end }
  }

const twice = (name: string, more?: Fields): Endpoint[] => [
  { name: `${name}, 7 days`, path: `gpu/${name}`, question: lastDays(7, hour, more) },
  { name: `${name}, 90 days`, path: `gpu/${name}`, question: lastDays(90, 6 * hour, more) },
]

const filters = ['yes', 'no', 'all'].flatMap((verified) =>
  ['all', 'secure_cloud', 'community'].flatMap((hosting_type) =>
    ['all', 1, 2, 4, 8].map((num_gpus) => ({ verified, hosting_type, num_gpus })),
  ),
)

const endpoints: Endpoint[] = [
  ...twice('history'),
  { name: 'current', path: 'gpu/current', question: (turn) => filters[turn] ?? {} },
  {
    name: 'depth',
    path: 'gpu/depth',
    question: (turn, { newest }) => ({ gpu_name: three, verified: 'all', gpus: 8, at: newest - turn * hour }),
  },
  ...twice('prices'),
  ...twice('availability', { gpus: 8, price: '0.5' }),
  ...twice('revenue'),
  ...twice('dispersion'),
  ...twice('events'),
  ...twice('fill'),
  ...twice('thin'),
  {
    name: 'time-to-rent, 7 days',
    path: 'gpu/time-to-rent',
    question: lastDays(7, hour, { gpu_name: 'RTX 4090' }),
  },
  {
    name: 'rental-hours, 28 days',
    path: 'gpu/rental-hours',
    question: lastDays(28, day, { gpu_name: 'RTX 4090' }),
  },
  { name: 'index, 90 days', path: 'gpu/index', question: lastDays(90, day) },
  { name: 'churn, 90 days', path: 'gpu/churn', question: lastDays(90, day) },
  { name: 'locations', path: 'gpu/locations', alone: true },
  { name: 'own machines', path: 'machines', own: true },
  { name: 'own machines, first after a slot', path: 'machines', alone: true, own: true },
]

/**
 * Prints for each endpoint the time of a new answer, and its ratio to the floor: its own statements again, all at once, by the same client,
 * ignoring the results.
 */
export async function measureEndpoints({ server, key }: EndpointsOptions): Promise<Record<string, Measured>> {
  const { postgres, clickhouse } = server
  await publishDays({ postgres, clickhouse })
  await storeComparables({ postgres, clickhouse }, watchSeries(postgres, clickhouse))
  const ends = await endsOf(clickhouse)
  if (!ends) return {}
  const hosts = await keysOfHosts(postgres)
  const shared = await startServer(server, key)
  const rows: Record<string, Measured> = {}
  for (const endpoint of endpoints) {
    const { name, path, alone, own, question } = endpoint
    const ask = async (turn: number) => {
      const { url, statements, close } = alone ? await startServer(server, key) : shared
      const query = new URLSearchParams(
        Object.entries(question?.(turn, ends) ?? {}).map(([field, value]): [string, string] => [
          field,
          `${value}`,
        ]),
      )
      const caller = own ? (hosts[turn % hosts.length] ?? key) : key
      statements.length = 0
      const cpu = process.cpuUsage()
      const ms = await timeOf(() => fetchAnswer(`${url}/api/v0/metrics/${path}?${query}`, caller))
      const { user, system } = process.cpuUsage(cpu)
      const sent = [...statements]
      if (alone) await close()
      return { ms, cpu: (user + system) / 1000, statements: sent }
    }
    rows[name] = await measure(clickhouse, ask)
  }
  await shared.close()
  console.table(rows)
  const above = Object.entries(rows).flatMap(([name, { 'cold p50 ms': ms = 0 }]) =>
    ms > target ? [name] : [],
  )
  console.log(
    'cold: a request that is not cached. bare: its own statements again, all at once, by the same client.\n' +
      `cold above ${target} ms: ${above.join('; ') || 'none'}`,
  )
  return rows
}

interface Measurement {
  ms: number
  /** Milliseconds of CPU of this process, including the client. */
  cpu: number
  statements: QueryParams[]
}

async function measure(
  clickhouse: ClickHouse,
  ask: (turn: number) => Promise<Measurement>,
): Promise<Measured> {
  await ask(2 * questions) // warms connections, code and pages of the table; the answer stays unknown
  const cold: Measurement[] = []
  for (let turn = 0; turn < questions; turn += 1) cold.push(await ask(turn))
  const ids = cold.flatMap(({ statements }) => statements.map(({ query_id = '' }) => query_id))
  const read = await readOf(clickhouse, { ids })
  // Each request runs beside a new one at the same time, because the load of the machine changes.
  const [close, bare]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < questions; turn += 1) {
    const { ms, statements } = await ask(questions + turn)
    close.push(ms)
    bare.push(await timeOf(() => Promise.all(statements.map((statement) => readText(clickhouse, statement)))))
  }
  const times = cold.map(({ ms }) => ms)
  return {
    'cold p50 ms': round(quantile(times, 0.5)),
    'cold p95 ms': round(quantile(times, 0.95)),
    'bare ms': round(quantile(bare, 0.5)),
    'cold ÷ bare': round(quantile(close, 0.5) / quantile(bare, 0.5)),
    statements: cold.at(-1)?.statements.length ?? 0,
    'ClickHouse CPU ms': round(read.cpu / questions / 1000),
    'process CPU ms': round(cold.reduce((sum, { cpu }) => sum + cpu, 0) / questions),
    'rows read': Math.round(read.rows / questions),
  }
}

async function readText(clickhouse: ClickHouse, statement: QueryParams): Promise<void> {
  await (await clickhouse.query({ ...statement, query_id: randomUUID() })).text()
}

/**
 * A server that has read the series and has no answer yet. Records the statements it sends to ClickHouse, except about the series itself.
 */
async function startServer(server: ServerOptions, key: string) {
  const statements: QueryParams[] = []
  const own = series.map((name) => loadSql(`clickhouse/queries/${name}`))
  const clickhouse: ClickHouse = Object.create(server.clickhouse, {
    query: {
      value: (statement: QueryParams) => {
        const named = { ...statement, query_id: randomUUID() }
        if (!own.includes(statement.query)) statements.push(named)
        return server.clickhouse.query(named)
      },
    },
  })
  const app = await buildApp({ ...server, clickhouse }, { metrics: { adHoc: undefined } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await fetchAnswer(`${url}/api/v0/metrics/gpu/depth?gpu_name=none`, key)
  return { url, statements, close: () => app.close() }
}

const series = ['series/state', 'series/slots', 'names/list']

/** The hosts with the most machines. */
async function keysOfHosts(postgres: Postgres): Promise<string[]> {
  const { rows } = await postgres.query<{ accountId: number }>(
    'SELECT account_id AS "accountId" FROM machines GROUP BY 1 ORDER BY count(*) DESC LIMIT $1',
    [2 * questions + 1],
  )
  const keys = await Promise.all(rows.map(({ accountId }) => createKey(postgres, { accountId })))
  return keys.map(({ key }) => key)
}
