import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchMarket } from '../../bench/watch-market.ts'
import type { CellRow, SnapshotRow } from '../../estimates/pooled/counts.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { openHistory } from '../../simulate/history.ts'
import type { SimulatedMachine } from '../../simulate/market.ts'
import { openFits, storeFit } from '../../src/hosts/machines/pooled/known-market.ts'
import { watchSeries } from '../../src/market/market-query/series.ts'
import { addSeen } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

const interval = 3600
const begin = 1_795_046_400 + 7200
const hours = 44
/** A slot that is missing in the market's record: no pair crosses the gap, which is longer than three intervals. */
const gap = [begin + 20 * interval, begin + 24 * interval] as const

const watch = watchMarket(interval)
const seen: MachineAtSlot[] = []
let server: TestServer

beforeAll(async () => {
  const past = hours * interval
  const history = openHistory({ seed: 5, size: 60, anchor: begin + past, past, interval })
  await history.leadTo(begin)
  for (let slot = begin; slot < begin + past; slot += interval) {
    if (slot < gap[0] || slot >= gap[1]) {
      watch.look(history.market, slot)
      for (const machine of history.market.machines) seen.push(...seenOf(machine, slot))
    } else watch.forget()
    history.next()
  }
  server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
  await server.postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  await addSeen(server, seen)
})
afterAll(() => server?.close())

function seenOf(machine: SimulatedMachine, slot: number): MachineAtSlot[] {
  const { id, type, numGpus, verification, secure, rentals, free, price, online } = machine
  if (!online && rentals.length === 0) return []
  return [
    {
      slot,
      machine: id,
      gpu: type.name,
      rig: numGpus,
      verified: verification === 'verified',
      hosting: secure ? 'secure_cloud' : 'community',
      free: online ? free : 0,
      price,
      rented: rentals.map(({ gpus, price }) => ({ gpus: gpus.length, price })),
      tflops: 10,
      dlperf: 10,
    },
  ]
}

const keyOf = ({ id, band }: Pick<CellRow, 'id'> & { band?: number }) => `${id} ${band}`
const sorted = <Row extends { id: number; band?: number }>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
/** The memory of these machines is unknown to the observations. */
const expected = <Row extends object>(row: Row) => ({
  ...Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? expect.closeTo(value, 6) : value,
    ]),
  ),
  gpu_memory: 0,
})

it('machines are counted by share of cheaper GPUs as the plain definition counts them', async () => {
  for (const from of [begin, gap[1]]) {
    const plain = watch.since(from)
    const cells = await selectRows<CellRow>(server.clickhouse, 'advice/cells', {
      from,
      to: begin + hours * interval,
      longest: 3 * interval,
    })
    expect(new Set(cells.map(keyOf)).size).toBe(cells.length)
    const sums = sumsOf(plain.cells)
    expect(sorted(cells)).toEqual(sorted(sums).map(expected))
    expect(cells.reduce((sum, row) => sum + row.rented_gpus, 0)).toBeGreaterThan(50)
    const first = await selectRows<SnapshotRow & { price: number }>(server.clickhouse, 'advice/snapshot', {
      from,
      to: from + 1,
      longest: 0,
    })
    expect(sorted(first).map(({ price: _, ...row }) => row)).toEqual(sorted(plain.first).map(expected))
  }
})

/** Cells of several days as one. */
function sumsOf(rows: readonly CellRow[]): CellRow[] {
  const sums = new Map<string, CellRow>()
  for (const { id, gpu_name, gpu_memory, num_gpus, verified, hosting_type, band, ...counts } of rows) {
    const of = { id, gpu_name, gpu_memory, num_gpus, verified, hosting_type, band }
    const before: Partial<typeof counts> = sums.get(keyOf(of)) ?? {}
    const sum = Object.entries(counts).map(([name, value]) => [
      name,
      value + (before[name as keyof typeof counts] ?? 0),
    ])
    sums.set(keyOf(of), { ...of, ...Object.fromEntries(sum) })
  }
  return [...sums.values()]
}

it('a fit is stored once an hour, and equals the fit that a reader computes', async () => {
  const series = watchSeries(server.postgres, server.clickhouse, 0)
  const at = { state: await series.state(), slots: await series.slots() }
  const names = [...new Set(seen.map(({ gpu }) => gpu))]
  const computed = await openFits(server)(names, at)
  expect([await storeFit(server, at), await storeFit(server, at)]).toEqual([true, false])
  const { rows } = await server.postgres.query("SELECT 1 FROM comparables WHERE kind = 'pooled_fit'")
  expect(rows.length).toBe(names.length + 1)
  const stored = await openFits(server)(names, at)
  const compared = seen.filter(({ slot }) => slot === at.state.newest_slot)
  expect(compared.length).toBeGreaterThan(40)
  for (const { machine, gpu, rig, verified, hosting } of compared) {
    const of = { id: machine, gpu_name: gpu, gpu_memory: 0, num_gpus: rig, verified, hosting_type: hosting }
    const [one, other] = [computed(of)?.open(), stored(of)?.open()]
    expect(one?.own?.mean).toBeDefined()
    expect(other?.own?.mean).toBeCloseTo(one?.own?.mean ?? Number.NaN, 6)
    expect(other?.product.drawn.median).toBe(one?.product.drawn.median)
    expect(other?.rig).toEqual(one?.rig)
  }
  const lacking = { id: 1, gpu_name: 'GPU of no market', gpu_memory: 0, num_gpus: 1 }
  const classed = { ...lacking, verified: true, hosting_type: 'community' }
  expect((await openFits(server)([lacking.gpu_name], at))(classed)).toBeNull()
})

it('a market without rentals has no fit', async () => {
  const series = watchSeries(server.postgres, server.clickhouse, 0)
  const state = { ...(await series.state()), has_rentals: false }
  const fits = await openFits(server)(['RTX 4090'], { state, slots: await series.slots() })
  const of = { id: 1, gpu_name: 'RTX 4090', gpu_memory: 0, num_gpus: 1 }
  expect(fits({ ...of, verified: true, hosting_type: 'community' })).toBeNull()
})
