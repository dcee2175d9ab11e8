import { getEventListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { insertObservations, loadAll, tokenOf } from '../../ingest/load.ts'
import { writeSeries } from '../../ingest/write-series.ts'
import { type ClickHouse, execute, openClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { locks, transaction } from '../../platform/stores/postgres.ts'
import { expectComplete } from '../complete.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { endHolder } from '../end-holder.ts'
import { openFaultProxy } from '../fault-proxy.ts'
import { smallMarket } from '../market.ts'

// Writers of the series that lose their lock, because their session in PostgreSQL ends while they are at work.

let databases: TestDatabases
let proxy: Awaited<ReturnType<typeof openFaultProxy>>
let throughProxy: ClickHouse

beforeAll(async () => {
  databases = await freshDatabases()
  proxy = await openFaultProxy(databases.clickhouseAddress.url)
  throughProxy = openClickHouse({ ...databases.clickhouseAddress, url: proxy.url })
  await smallMarket(databases.postgres, 40)
  await execute(databases.clickhouse, 'CREATE TABLE slow (n UInt64) ENGINE = MergeTree ORDER BY n')
})
afterAll(async () => {
  await throughProxy?.close()
  proxy?.close()
  await databases?.close()
})

let slot = 1_750_000_200
const nextSlot = async () => {
  slot += 300
  await databases.postgres.query('UPDATE gpu_listings SET price = price + 0.01')
  expect(await capture(databases.postgres, slot)).toMatchObject({ slot })
}

/** The state of a restored ClickHouse: a deduplication token without its rows. */
const forgetRowsOfToken = async () => {
  const { rows } = await databases.postgres.query<{ rows: string }>(
    'SELECT rows FROM spool WHERE slot = $1',
    [slot],
  )
  const snapshot = { slot, source: 'market' }
  const byHand = { clickhouse: databases.clickhouse, nextRevision: async () => 1 }
  const lines = rows[0]?.rows ?? ''
  await insertObservations(byHand, lines, { ...snapshot, token: tokenOf(`snapshot:${slot}`, 0, lines) })
  const forget = 'load/forget_snapshot'
  await execute(databases.clickhouse, forget, { ...snapshot, revision: 2 })
}

const nothing = async () => {}
const patient = { timeout: 60_000 }

it.each([
  ['observations', /INSERT INTO observations/, nothing],
  ['the entry of its slot', /insert into slots/i, nothing],
  ['the price histogram', /INSERT INTO price_histogram/, nothing],
  ['the rows of the slot', /rows of some steps from the observations[\s\S]*INSERT INTO cube/, nothing],
  ['the buckets', /rows of some steps of whole hours[\s\S]*INSERT INTO cube/, nothing],
  ['the flows', /INSERT INTO flows/, nothing],
  ['showing the slot', /insert into slots[\s\S]*"ready":true/i, nothing],
  ['removing a part of the observations', /DELETE FROM[\s\S]*observations/, forgetRowsOfToken],
  ['observations for the second time', /token=snapshot:\d+:\d+:/, forgetRowsOfToken],
] as const)('a writer without its lock changes nothing: %s', async (_, statement, prepare) => {
  await nextSlot()
  await prepare()
  // The statement reaches ClickHouse after the next writer has loaded the same slot.
  const late = proxy.arm(statement, 'late', async () => {
    expect(await endHolder(databases.postgres)).toBe(true)
    await loadAll(databases)
  })
  const { postgres } = databases
  await expect(loadAll({ postgres, clickhouse: throughProxy })).rejects.toThrow()
  await late
  await expectComplete(databases)
})

it('a load does not wait for another writer once the process stops', async () => {
  const stop = new AbortController()
  await writeSeries(databases, async () => {
    const waiting = loadAll(databases, stop.signal)
    await vi.waitFor(async () => {
      const { rowCount } = await databases.postgres.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`,
        [locks.series],
      )
      expect(rowCount).toBe(1)
    }, patient)
    stop.abort()
    await expect(waiting).rejects.toBe(stop.signal.reason)
  })
  await nextSlot()
  expect(await loadAll(databases)).toBe(1)
})

it('a writer that is done leaves nothing with the signal that would have stopped it', async () => {
  const { signal: stop } = new AbortController()
  const signals: WeakRef<AbortSignal>[] = []
  for (let turn = 0; turn < 3; turn += 1)
    await writeSeries(databases, async ({ signal }) => void signals.push(new WeakRef(signal)), stop)
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  await vi.waitFor(() => {
    collectGarbage()
    // The last signal may still be in a register.
    expect(signals.filter((signal) => signal.deref()).length).toBeLessThan(2)
  }, patient)
  expect(getEventListeners(stop, 'abort')).toEqual([])
})

it('a writer without its lock gets no revision, and writes to neither database', async () => {
  await writeSeries(databases, async (series) => {
    await series.nextRevision()
    expect(await endHolder(databases.postgres)).toBe(true)
    await vi.waitFor(() => expect(series.signal.aborted).toBe(true), patient)
    await expect(series.nextRevision()).rejects.toThrow()
    await expect(series.postgres.query('DELETE FROM snapshots')).rejects.toThrow()
    await expect(selectRows(series.clickhouse, 'SELECT 1')).rejects.toThrow('The lock was lost')
  })
  await expectComplete(databases)
})

it('a connection lost while in use fails its statements, and does not end the process', async () => {
  const { postgres } = databases
  const work = transaction(postgres, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const lost = new Promise((resolve) => client.once('end', resolve))
    await postgres.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await lost
    await client.query('SELECT 1')
  })
  await expect(work).rejects.toThrow()
})

const running = () =>
  selectRows(
    databases.clickhouse,
    `SELECT 1 FROM system.processes WHERE current_database = currentDatabase() AND startsWith(query, 'INSERT INTO slow')`,
  )
const slowly =
  'INSERT INTO slow SELECT number FROM numbers(600) WHERE sleepEachRow(0.2) = 0 SETTINGS max_block_size = 1'

it('statements of a writer without its lock end in ClickHouse before the next one begins', async () => {
  const stale = writeSeries(databases, ({ clickhouse }) => execute(clickhouse, slowly))
  const failure = expect(stale).rejects.toThrow()
  await vi.waitFor(async () => expect(await running()).toHaveLength(1), { timeout: 120_000 })
  expect(await endHolder(databases.postgres)).toBe(true)
  await failure
  expect(await running()).toHaveLength(1)
  await nextSlot()
  await loadAll(databases)
  expect(await running()).toEqual([])
  await expectComplete(databases)
})

it("a late statement of such a writer ends before the slot's observations are counted", async () => {
  await nextSlot()
  let stale: Promise<unknown> = Promise.resolve()
  // Simulates a statement that was in transit while the next writer began.
  const entering = proxy.arm(/insert into slots[\s\S]*"ready":false/i, 'late', async () => {
    stale = databases.clickhouse
      .command({ query: slowly, query_id: `rackrate-series-stale-${slot}` })
      .catch(() => {})
    await vi.waitFor(async () => expect(await running()).toHaveLength(1), patient)
  })
  await loadAll({ postgres: databases.postgres, clickhouse: throughProxy })
  await entering
  expect(await running()).toEqual([])
  await stale
  await expectComplete(databases)
})

it('a writer waits until what others remove is gone', async () => {
  const removing = () => selectRows(databases.clickhouse, 'series/unfinished_deletes')
  await nextSlot()
  await loadAll(databases)
  await execute(
    databases.clickhouse,
    'DELETE FROM observations WHERE sleep(0.5) = 1 SETTINGS lightweight_deletes_sync = 0',
  )
  expect(await removing()).toHaveLength(1)
  expect(await writeSeries(databases, removing)).toEqual([])
})

it('a slot captured again with other rows, as after a restore, is loaded as a new one', () => {
  expect(tokenOf('snapshot:300', 0, '[1]')).not.toBe(tokenOf('snapshot:300', 0, '[2]'))
  expect(tokenOf('snapshot:300', 0, '[1]')).toBe(tokenOf('snapshot:300', 0, '[1]'))
})

it.each([
  ['the price histogram', /INSERT INTO price_histogram/],
  ['the price steps', /INSERT INTO price_steps/],
  ['the rows of the slot', /rows of some steps from the observations[\s\S]*INSERT INTO cube/],
] as const)('concurrent roll-ups wait for the rows that they read: %s', async (_, statement) => {
  await nextSlot()
  const late = proxy.arm(statement, 'late', () => pause(1500))
  await loadAll({ postgres: databases.postgres, clickhouse: throughProxy })
  await late
  await expectComplete(databases)
})
