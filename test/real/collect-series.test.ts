import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource } from '../../collect/site-source.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { startServer } from '../server.ts'
import { expectedRows, observedAt, openStandIn, rigsAt, type StandIn } from '../stand-in.ts'

const interval = 300
const first = 1_795_000_200
const slotAt = (index: number) => first + index * interval

let databases: TestDatabases
let standIn: StandIn
beforeEach(async () => {
  databases = await freshDatabases()
  standIn = await openStandIn()
})
afterEach(async () => {
  standIn.close()
  await databases.close()
})

const sourceOf = (kind: string) => openSource(`${kind}=${standIn.url}`, {})
async function take(index: number, { kind = 'exporter' } = {}) {
  standIn.time = slotAt(index)
  return collect(databases, sourceOf(kind), { slot: slotAt(index), interval })
}
const observations = (slot: number) => observedAt(databases.clickhouse, slot)
async function slotsTaken(): Promise<number[]> {
  const { rows } = await databases.postgres.query<{ slot: number }>(
    'SELECT slot FROM snapshots ORDER BY slot',
  )
  return rows.map(({ slot }) => (slot - first) / interval)
}
const nothingWrong = async () =>
  expect(await check(databases, await seriesRange(databases.clickhouse))).toMatchObject({ problems: [] })

describe.each(['exporter', 'vast'])('the source %s', (kind) => {
  it('comes into the series through spool, ledger and roll-up', async () => {
    await keepToSource(databases.postgres, sourceOf(kind))
    expect(await take(0, { kind })).toMatchObject({ slot: first, machines: 40, unchanged: false })
    standIn.rigs = rigsAt(40, 1)
    expect(await take(1, { kind })).toMatchObject({ slot: slotAt(1), unchanged: false })
    expect(await loadAll(databases)).toBe(2)
    expect(await observations(slotAt(0))).toEqual(expectedRows(rigsAt(40, 0)))
    expect(await observations(slotAt(1))).toEqual(expectedRows(rigsAt(40, 1)))
    await nothingWrong()
  })
})

it('an unchanged market is recorded again with the rows of the slot before', async () => {
  await keepToSource(databases.postgres, sourceOf('exporter'))
  await take(0)
  const asBefore = () => collect(databases, sourceOf('exporter'), { slot: slotAt(1), interval })
  expect(await asBefore()).toMatchObject({ slot: slotAt(1), unchanged: true })
  expect(standIn.requests[1]?.headers['if-none-match']).toBeDefined()
  await loadAll(databases)
  expect(await observations(slotAt(1))).toEqual(await observations(slotAt(0)))
  await nothingWrong()

  // Without its lines in the spool there is nothing to repeat, so the source must send all of it.
  await databases.postgres.query('DELETE FROM spool')
  expect(await collect(databases, sourceOf('exporter'), { slot: slotAt(2), interval })).toMatchObject({
    unchanged: false,
  })
  expect(standIn.requests[2]?.headers['if-none-match']).toBeUndefined()

  // A source that has lost its own input reports "unchanged" for hours, so an old market is refused.
  const old = collect(databases, sourceOf('exporter'), { slot: slotAt(4), interval })
  await expect(old).rejects.toThrow('Its market is 1200 seconds old')
  expect(await slotsTaken()).toEqual([0, 1, 2])
})

it('a source gets statistics of its days: flows, an index, and a history that the API answers', async () => {
  const hours = 6 * 3600
  const start = Math.floor(first / 86_400) * 86_400
  await databases.postgres.query('UPDATE slot_interval SET seconds = $1', [hours])
  await keepToSource(databases.postgres, sourceOf('exporter'))
  for (let step = 0; step <= 8; step += 1) {
    const slot = start + step * hours
    Object.assign(standIn, { rigs: rigsAt(40, step), time: slot })
    await collect(databases, sourceOf('exporter'), { slot, interval: hours })
  }
  expect(await loadAll(databases)).toBe(9)
  expect(await publishDays(databases)).toBe(3)
  const [flows] = await selectRows(
    databases.clickhouse,
    'SELECT sum(rentals) > 20 AS rentals, sum(returns) > 20 AS returns FROM flows FINAL',
  )
  expect(flows).toEqual({ rentals: 1, returns: 1 })
  await nothingWrong()

  const server = await startServer({ databases, snapshotInterval: hours })
  try {
    const days = `start=${start}&end=${start + 2 * 86_400}`
    const index = await server.get(`/api/v0/metrics/gpu/index?market=true&${days}`)
    expect(index.body).toMatchObject({ market: { level: [null, expect.any(Number)] } })
    const history = await server.get(
      `/api/v0/metrics/gpu/history?gpu_name=RTX_4090&verified=all&step=86400&${days}`,
    )
    const gpus = rigsAt(40).reduce((sum, rig) => sum + (rig.gpu === 'RTX 4090' ? rig.gpus : 0), 0)
    expect(history.body).toMatchObject({
      gpus: { 'RTX 4090': { supply_demand: { total_gpus: [gpus, gpus] } } },
    })
    expect(await server.get('/api/v0/metrics/gpu/locations')).toMatchObject({ status: 200 })
    const fill = await server.get(`/api/v0/metrics/gpu/fill?gpu_name=RTX_4090&verified=all&${days}`)
    expect(JSON.stringify(fill.body)).toContain('"rentals":')
  } finally {
    await server.app.close()
  }
})
