import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engines, startEngines } from '../../embedded/engines.ts'
import { capture } from '../../ingest/capture.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { turnOf } from '../../ingest/checked-ranges.ts'
import { hourOf, rangeOfPartition } from '../../ingest/find-damage.ts'
import { loadAll } from '../../ingest/load.ts'
import { mendSeries } from '../../ingest/mend.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { reconcile } from '../../ingest/reconcile.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { freshDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

// An own engine, whose files are damaged while it is down.

const options = { postgres: false, clickhouse: true, database: 'test_*' }
const first = 1_750_000_500 // 2025-06-15 15:15 UTC
let dir: string
let engines: Engines
let server: TestServer
let slot = first

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-mend-'))
  engines = await startEngines(dir, options)
  server = await startServer({ databases: await freshDatabases(undefined, engines.clickhouse) })
  await smallMarket(server.postgres, 20)
  await captureSlots(3)
  await loadAll(server)
  // A slot of the next day, so that the first day is complete.
  slot += 36_000
  await captureSlots(1)
  await loadAll(server)
  await publishDays(server)
})
afterAll(async () => {
  await server?.close()
  await engines?.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function captureSlots(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await capture(server.postgres, slot)
    slot += 900
  }
}

/** Stops the engine, changes its files, and starts it again. */
async function whileDown(work: () => void, reserveBytes?: number): Promise<void> {
  await engines.stop()
  work()
  engines = await startEngines(dir, { ...options, reserveBytes })
}

interface Part {
  path: string
}

/** All parts of a table: ClickHouse restores the parts that were merged into a broken one. */
const partsOf = (table: string): Promise<Part[]> =>
  selectRows(
    server.clickhouse,
    'SELECT path FROM system.parts WHERE database = currentDatabase() AND table = {table:String}',
    { table },
  )

/** Leaves the files of a part without a byte, as a full disk does. */
function empty({ path }: Part): void {
  for (const name of readdirSync(path))
    if (statSync(join(path, name)).isFile()) truncateSync(join(path, name))
}

async function damage(...parts: Part[]): Promise<void> {
  expect(parts.length).toBeGreaterThan(0)
  await whileDown(() => {
    for (const part of parts) empty(part)
  })
}

const readyz = async () => (await server.app.inject({ url: '/readyz' })).json()
const expectClean = async () => {
  const { problems } = await check(server, await seriesRange(server.clickhouse))
  expect(problems).toEqual([])
}

describe('parts that are broken when ClickHouse starts', () => {
  it.each([
    { what: 'the tables of the roll-up', tables: ['cube', 'price_histogram', 'price_steps', 'flows'] },
    { what: 'the days and the ledger of slots', tables: ['machine_days', 'slots'] },
  ])('are named, and the rows of $what are computed again', async ({ tables }) => {
    await damage(...(await Promise.all(tables.map(partsOf))).flat())
    for (const table of tables)
      expect(await selectRows(server.clickhouse, `SELECT 1 FROM ${table}`), table).toEqual([])

    const mended = await mendSeries(server)
    expect(mended.lost).toEqual([])
    for (const table of tables)
      expect(mended.broken).toContainEqual(expect.stringMatching(`^ClickHouse found parts of ${table} `))
    await publishDays(server)
    await expectClean()
    for (const table of tables)
      expect(await selectRows(server.clickhouse, `SELECT 1 FROM ${table} LIMIT 1`), table).toHaveLength(1)
    await expect
      .poll(readyz)
      .toMatchObject({ status: 'ok', broken_parts: 0, mended: expect.arrayContaining(mended.broken) })
    // The next check recognizes them.
    expect(await mendSeries(server)).toEqual({ broken: [], hours: 0, reloaded: 0, lost: [] })
  })

  it('are loaded again from the spool when they are of observations', async () => {
    await damage(...(await partsOf('observations')))
    expect(await selectRows(server.clickhouse, 'SELECT 1 FROM observations')).toEqual([])
    expect(await mendSeries(server)).toMatchObject({ reloaded: 4, lost: [] })
    await expectClean()
  })
})

describe('observations that the spool no longer has', () => {
  it('are listed as lost, and their derived rows stay, until they are accepted as a gap', async () => {
    const [cube] = await selectRows(server.clickhouse, 'SELECT count() AS rows FROM cube FINAL')
    await server.postgres.query('DELETE FROM spool')
    await damage(...(await partsOf('observations')), ...(await partsOf('flows')))

    const { lost } = await mendSeries(server)
    expect(lost).toEqual([
      expect.stringMatching(
        /^Observations of 4 slots from 2025-06-15 15:15 UTC to 2025-06-16 02:00 UTC are lost\. Restore a backup .*--accept-loss`\.$/,
      ),
    ])
    await expect
      .poll(readyz)
      .toMatchObject({ status: 'degraded', lost_ranges: 1, problems: expect.arrayContaining(lost) })
    const metrics = async () => (await server.app.inject({ url: '/metrics' })).body
    await expect.poll(metrics).toMatch(/^rackrate_lost_ranges 1$/m)
    expect(await selectRows(server.clickhouse, 'SELECT count() AS rows FROM cube FINAL')).toEqual([cube])

    expect(await reconcile(server, { acceptLoss: true })).toMatchObject({ done: true })
    expect(await mendSeries(server)).toMatchObject({ lost: [] })
    await expect.poll(readyz).toMatchObject({ status: 'ok', lost_ranges: 0 })
  })
})

describe('a disk with less than its reserve free', () => {
  it('lets snapshots wait and answers stay, and loads go on when there is room', async () => {
    await captureSlots(1)
    await loadAll(server)
    const rows = () => selectRows(server.clickhouse, 'SELECT count() AS rows FROM observations')
    const before = await rows()
    await whileDown(() => {}, 2 ** 60)

    await captureSlots(1)
    await expect(loadAll(server)).rejects.toThrow(/^ClickHouse's disk is nearly full: less than its reserve/)
    expect(await rows()).toEqual(before)
    // The engine itself refuses writes, too.
    await expect(
      server.clickhouse.insert({ table: 'slots', values: [{ slot: 0 }], format: 'JSONEachRow' }),
    ).rejects.toThrow(/not enough space/)
    await expect.poll(readyz).toMatchObject({
      status: 'degraded',
      problems: [expect.stringMatching(/^ClickHouse's disk is nearly full/)],
      spooled_slots: 1,
      disk_room_bytes: 0,
    })
    // Every page shows what the stream of new slots sends.
    const live = () => server.get('/api/v0/metrics/live?seconds=0')
    await expect.poll(async () => (await live()).body).toContain('"notices":["The disk of this service is')

    await whileDown(() => {})
    expect(await loadAll(server)).toBe(1)
    await expect.poll(readyz).toMatchObject({ status: 'ok', spooled_slots: 0 })
    await expectClean()
  })
})

describe('a series of more days than one check covers', () => {
  const day = 86_400
  const series = { from: 0, to: 100 * day + 300 }

  it('is checked in turn: its newest week each time, and the rest in parts of 30 days', () => {
    const checks: number[][][] = []
    let checkedFrom = 0
    for (let call = 0; call < 5; call += 1) {
      const turn = turnOf(series, checkedFrom)
      checkedFrom = turn.checkedFrom
      checks.push(turn.ranges.map(({ from, to }) => [from / day, (to - 300) / day]))
    }
    const last = 100
    expect(checks).toEqual([
      [[63, last]],
      [
        [33, 63 - 300 / day],
        [93, last],
      ],
      [
        [3, 33 - 300 / day],
        [93, last],
      ],
      [
        [0, 3 - 300 / day],
        [93, last],
      ],
      [[63, last]],
    ])
  })

  it('has rows that are missing far back computed again once their turn comes', async () => {
    await captureSlots(1)
    const hour = hourOf(slot - 900)
    slot += 60 * day
    await captureSlots(1)
    await loadAll(server)
    await server.postgres.query('DELETE FROM mend_progress')
    const old = { from: hour, to: hour + 3600 }
    const where = 'hour >= {from:UInt32} AND hour < {to:UInt32}'
    const rows = () =>
      selectRows(server.clickhouse, `SELECT 1 FROM price_histogram WHERE ${where} LIMIT 1`, old)
    expect(await rows()).toHaveLength(1)
    await execute(server.clickhouse, `DELETE FROM price_histogram WHERE ${where}`, old)
    expect(await rows()).toEqual([])
    // The newest week, and the 30 days before it.
    expect(await mendSeries(server)).toMatchObject({ hours: 0 })
    expect(await mendSeries(server)).toMatchObject({ hours: 1 })
    expect(await rows()).toHaveLength(1)
  })
})

it('the partition of a part gives the month of its rows', () => {
  const june = { from: 1_748_736_000, to: 1_751_328_000 }
  expect(rangeOfPartition('202506')).toEqual(june)
  expect(rangeOfPartition('3600-202506')).toEqual(june)
  expect(rangeOfPartition('all')).toEqual({ from: 0, to: 2 ** 32 - 1 })
})
