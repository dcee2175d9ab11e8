import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startEngines } from '../../embedded/engines.ts'
import { capture } from '../../ingest/capture.ts'
import { openClickHouse } from '../../platform/stores/clickhouse.ts'
import { expectComplete } from '../complete.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { openFaultProxy } from '../fault-proxy.ts'
import { smallMarket } from '../market.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'

let databases: TestDatabases
let proxy: Awaited<ReturnType<typeof openFaultProxy>>

beforeAll(async () => {
  databases = await freshDatabases()
  proxy = await openFaultProxy(databases.clickhouseAddress.url)
  await smallMarket(databases.postgres, 60)
})
afterAll(async () => {
  proxy?.close()
  await databases?.close()
})

const worker = (url = proxy.url) =>
  spawnRackrate(['worker'], environmentOf(databases.queues, { ...databases.clickhouseAddress, url }))

const waiting = async () => {
  const { rows } = await databases.postgres.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM snapshots WHERE loaded_at IS NULL',
  )
  return rows[0]?.n
}
const allLoaded = () =>
  vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 60_000, interval: 100 })

// The stages of a load, in order; at each the worker dies once just before ClickHouse hears of it and once just after ClickHouse is done.
const stages = [
  ['observations', /INSERT INTO observations/],
  ['the entry in the ledger of slots', /INSERT INTO slots|insert into slots/i],
  ['the price histogram', /INSERT INTO price_histogram/],
  ['the rows of the slot', /INSERT INTO cube[\s\S]*FROM slot_rows/],
  ['the first buckets', /INSERT INTO cube[\s\S]*FROM bucket_rows/],
  ['the last buckets', /param_step=604800[\s\S]*INSERT INTO cube|INSERT INTO cube[\s\S]*param_step=604800/],
  ['the flows', /INSERT INTO flows/],
  ['showing the slot', /INSERT INTO slots[\s\S]*"ready":true/],
] as const

it('a worker killed at each stage of a load loses nothing and doubles nothing', async () => {
  let slot = 1_750_000_200
  for (const [stage, statement] of stages) {
    for (const when of ['before', 'after'] as const) {
      expect(await capture(databases.postgres, slot), stage).toMatchObject({ slot })
      slot += 300
      const victim = worker()
      await proxy.arm(statement, when, () => victim.kill('SIGKILL'))
      expect(await exited(victim), `${when} ${stage}`).toBe('SIGKILL')
      expect(await waiting(), `${when} ${stage}: ${victim.output()}`).toBeGreaterThan(0)
    }
  }
  const survivor = worker()
  await allLoaded()
  survivor.kill('SIGTERM')
  expect(await exited(survivor), survivor.output()).toBe(0)
  await expectComplete(databases)
}, 180_000)

it('killed at any moment, several workers side by side, the series is complete and single', async () => {
  let slot = 1_751_000_100
  for (let round = 0; round < 5; round += 1) {
    const workers = [worker(), worker()]
    for (let n = 0; n < 3; n += 1) {
      await Promise.all([
        capture(databases.postgres, slot),
        capture(databases.postgres, slot),
        capture(databases.postgres, slot),
      ])
      slot += 300
    }
    // Different moments of their start, of a load, and after it.
    await Promise.race([allLoaded(), new Promise((resolve) => setTimeout(resolve, 700 + 350 * round))])
    for (const one of workers) one.kill('SIGKILL')
    await Promise.all(workers.map(exited))
  }
  const survivor = worker()
  await allLoaded()
  survivor.kill('SIGTERM')
  expect(await exited(survivor), survivor.output()).toBe(0)
  await expectComplete(databases)
}, 180_000)

it('while ClickHouse is away snapshots wait in Postgres, and arrive when it is back', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-crash-'))
  const own = await freshDatabases()
  const start = () => startEngines(dir, { postgres: false, clickhouse: true })
  let engines = await start()
  const address = engines.clickhouse
  if (!address) throw new Error('no ClickHouse')
  try {
    await smallMarket(own.postgres, 20)
    const patient = spawnRackrate(['worker'], environmentOf(own.queues, address))
    const left = async () =>
      (await own.postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')).rowCount
    await vi.waitFor(
      async () =>
        expect((await own.postgres.query('SELECT FROM snapshots WHERE loaded_at IS NOT NULL')).rowCount).toBe(
          1,
        ),
      { timeout: 60_000 },
    )
    await engines.stop()
    for (let n = 0; n < 5; n += 1) expect(await capture(own.postgres, 1_750_000_200 + n * 300)).toBeDefined()
    // Long enough for the worker to try in vain: the schedule comes round twice a minute.
    await vi.waitFor(() => expect(patient.output()).toMatch(/job failed/), { timeout: 60_000 })
    // The present slot may have changed meanwhile, and been taken.
    expect(await left()).toBeGreaterThanOrEqual(5)
    engines = await start()
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 90_000, interval: 200 })
    patient.kill('SIGTERM')
    expect(await exited(patient), patient.output()).toBe(0)
    const clickhouse = openClickHouse(address)
    await expectComplete({ postgres: own.postgres, clickhouse })
    await clickhouse.close()
  } finally {
    await engines.stop()
    await own.close()
    rmSync(dir, { recursive: true, force: true })
  }
}, 240_000)
