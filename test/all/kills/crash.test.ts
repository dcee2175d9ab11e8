import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startEngines } from '../../../embedded/engines.ts'
import { capture } from '../../../ingest/capture.ts'
import { loadAll } from '../../../ingest/load.ts'
import { execute, openClickHouse } from '../../../platform/stores/clickhouse.ts'
import { expectComplete } from '../../complete.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { openFaultProxy } from '../../fault-proxy.ts'
import { smallMarket } from '../../market.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'

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
  vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 400_000, interval: 100 })

// The stages of a load, in order; at each the worker dies once just before ClickHouse receives the statement and once just after ClickHouse has
// executed it.
const stages = [
  ['observations', /INSERT INTO observations/],
  ['the entry in the ledger of slots', /INSERT INTO slots|insert into slots/i],
  ['the price histogram', /INSERT INTO price_histogram/],
  ['the price steps', /INSERT INTO price_steps/],
  ['the rows of the slot', /rows of some steps from the observations[\s\S]*INSERT INTO cube/],
  ['the buckets', /rows of some steps of whole hours[\s\S]*INSERT INTO cube/],
  ['the flows', /INSERT INTO flows/],
  ['showing the slot', /INSERT INTO slots[\s\S]*"ready":true/],
] as const

it('a worker killed at each stage of a load loses nothing and doubles nothing', async () => {
  let slot = 1_750_000_200
  for (const [index, [stage, statement]] of stages.entries()) {
    // Each worker begins with the oldest slot that waits. Sometimes a further slot waits after it.
    if (index % 3 === 0) {
      expect(await capture(databases.postgres, slot), stage).toMatchObject({ slot })
      slot += 300
    }
    for (const when of ['before', 'after'] as const) {
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
})

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
    // Different moments during the start, during a load, and after it.
    await Promise.race([allLoaded(), new Promise((resolve) => setTimeout(resolve, 700 + 350 * round))])
    for (const one of workers) one.kill('SIGKILL')
    await Promise.all(workers.map(exited))
  }
  const survivor = worker()
  await allLoaded()
  survivor.kill('SIGTERM')
  expect(await exited(survivor), survivor.output()).toBe(0)
  await expectComplete(databases)
})

it('a worker continues the backfill of a killed one, without lost or double rows', async () => {
  const own = await freshDatabases()
  const faults = await openFaultProxy(own.clickhouseAddress.url)
  const start = () =>
    spawnRackrate(['worker'], environmentOf(own.queues, { ...own.clickhouseAddress, url: faults.url }))
  const filledSince = async () =>
    Number((await own.postgres.query('SELECT todo_before AS since FROM backfills')).rows[0]?.since)
  try {
    await smallMarket(own.postgres, 30)
    // Pairs of slots, four days apart.
    const firsts = Array.from({ length: 8 }, (_, n) => 1_750_000_200 + n * 4 * 86_400)
    for (const slot of firsts.flatMap((first) => [first, first + 300])) await capture(own.postgres, slot)
    await loadAll(own)
    // Rows of the earlier release have no size of memory in their keys.
    for (const table of ['price_histogram', 'price_steps', 'flows'])
      await execute(
        own.clickhouse,
        `INSERT INTO ${table} SELECT * REPLACE (0 AS gpu_memory) FROM ${table} FINAL`,
      )
    await own.postgres.query('UPDATE backfills SET todo_before = 4102444800')

    const progress = [await filledSince()]
    // One worker dies when the past is computed and not recorded, one before it is computed.
    for (const when of ['after', 'before'] as const) {
      const victim = start()
      await faults.arm(/INSERT INTO price_histogram/, when, () => victim.kill('SIGKILL'))
      expect(await exited(victim), victim.output()).toBe('SIGKILL')
      progress.push(await filledSince())
    }
    expect(progress).toEqual(progress.map(() => 4_102_444_800))

    const survivor = start()
    await vi.waitFor(async () => expect(await filledSince()).toBe(0), { timeout: 400_000, interval: 100 })
    survivor.kill('SIGTERM')
    expect(await exited(survivor), survivor.output()).toBe(0)
    await loadAll(own)
    await expectComplete(own)
  } finally {
    faults.close()
    await own.close()
  }
})

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
      { timeout: 400_000 },
    )
    await engines.stop()
    for (let n = 0; n < 5; n += 1) expect(await capture(own.postgres, 1_750_000_200 + n * 300)).toBeDefined()
    // Long enough for the worker to try in vain: the schedule comes round twice a minute.
    await vi.waitFor(() => expect(patient.output()).toMatch(/job failed/), { timeout: 400_000 })
    // The present slot may have changed meanwhile, and been taken.
    expect(await left()).toBeGreaterThanOrEqual(5)
    engines = await start()
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 400_000, interval: 200 })
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
})
