import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportProgress } from '../cli/progress.ts'
import { systemClock } from '../cli/system-clock.ts'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { startEngines } from '../embedded/engines.ts'
import { loadAll } from '../ingest/load.ts'
import type { backfill } from '../ingest/pending-rollups.ts'
import type { ServerOptions } from '../platform/http/server.ts'
import { openVault } from '../platform/security/vault.ts'
import {
  type AdHocClients,
  type ClickHouse,
  closeAdHoc,
  openAdHoc,
  openClickHouse,
  selectRows,
} from '../platform/stores/clickhouse.ts'
import { migrate } from '../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../platform/stores/postgres.ts'
import { noteInterval } from '../platform/stores/slot-interval.ts'
import { seedMarket } from '../simulate/create-market.ts'
import { fillHistory } from '../simulate/fill-history.ts'
import { buildApp } from '../src/app.ts'
import { createKeyFor } from '../src/companion/keys/key-for-role.ts'

export interface Size {
  machines: number
  days: number
  /** Seconds between slots. */
  interval: number
}

export interface Market {
  size: Size
  postgres: Postgres
  clickhouse: ClickHouse
  databaseUrl: string
  address: ClickHouseServer
}

interface Choice {
  seed?: number
  /** Writes the history, if not all derived rows are needed. */
  into?: typeof backfill
}

/** Runs `work` on a simulated market of the given size, with its history, on engines of its own. */
export async function inMarket<Found>(
  size: Size,
  work: (market: Market) => Promise<Found>,
  { seed = 1, into }: Choice = {},
): Promise<Found> {
  const { machines, days, interval } = size
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-bench-'))
  const engines = await startEngines(dir, { postgres: true, clickhouse: true })
  const { databaseUrl, clickhouse: address } = engines
  try {
    if (!databaseUrl || !address) throw new Error('the embedded engines gave no address')
    const postgres = openPostgres(databaseUrl, console.error)
    const clickhouse = openClickHouse(address)
    try {
      await migrate(postgres, clickhouse, address)
      await noteInterval(postgres, interval)
      // Records that the past is complete, as a worker does when it starts.
      await loadAll({ postgres, clickhouse })
      await seedMarket(postgres, { seed, size: machines, days, interval })
      const started = performance.now()
      await fillHistory({ postgres, clickhouse }, { ...atOnce, ...(into && { into }) })
      await printSize(clickhouse, size, (performance.now() - started) / 1000)
      return await work({ size, postgres, clickhouse, databaseUrl, address })
    } finally {
      await clickhouse.close()
      await postgres.end()
    }
  } finally {
    await engines.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

const atOnce = {
  signal: new AbortController().signal,
  onProgress: reportProgress('history'),
  // The largest batch within half a gigabyte of memory. The lock of the series has no other user here.
  rowsPerInsert: 1_500_000,
  rowsPerBatch: 40_000_000,
}

async function printSize(clickhouse: ClickHouse, { machines, days, interval }: Size, seconds: number) {
  const tables = await selectRows<{ table: string; rows: number; bytes: number }>(
    clickhouse,
    `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`,
  )
  const { rows: observations = 0 } = tables.find(({ table }) => table === 'observations') ?? {}
  console.log(
    `\n${machines} machines, ${days} days, every ${interval} s: ${observations.toLocaleString('en')} observations`,
  )
  console.log(
    `history filled and rolled up      ${Math.round(observations / seconds).toLocaleString('en')} rows/s`,
  )
  for (const { table, rows, bytes } of tables)
    console.log(
      `${table.padEnd(33)} ${(bytes / days / 1e6).toFixed(2)} MB a day, ${(bytes / rows).toFixed(2)} bytes a row`,
    )
}

/** Settings of a server of the market: without limits and logs. */
export const serverOf = ({ postgres, clickhouse, size }: Market): ServerOptions => ({
  postgres,
  clickhouse,
  clock: systemClock,
  vault: openVault({ key: randomBytes(32) }),
  snapshotInterval: size.interval,
  rateLimit: 1e9,
  addressRateLimit: 1e9,
  parallelRequests: 1e9,
  trustedProxies: 0,
  logLevel: 'silent',
})

export const adminKeyOf = async ({ postgres }: Market): Promise<string> =>
  (await createKeyFor(postgres, { role: 'admin' })).key

interface Served {
  url: string
  /** The key of an admin. */
  key: string
  /** Undefined where ad hoc SQL is not offered. */
  adHoc: AdHocClients | undefined
}

/** Runs `work` with a server of the market in this process. */
export async function serve<Found>(market: Market, work: (served: Served) => Promise<Found>): Promise<Found> {
  const { address } = market
  const adHoc = address.analyst && openAdHoc(address, address.analyst)
  const app = await buildApp(serverOf(market), { metrics: { adHoc } })
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return await work({ url, key: await adminKeyOf(market), adHoc })
  } finally {
    await app.close()
    await closeAdHoc(adHoc)
  }
}
