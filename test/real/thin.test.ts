import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { GpuHistory } from '../../contract/history.ts'
import { seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { everything } from '../../src/market/market-query/select.ts'
import { selectStoredThin, selectThin, type ThinBucket } from '../../src/market/thin/buckets.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

const from = 1_750_032_000
const interval = 1800
const slots = Array.from({ length: 12 }, (_, n) => from + n * interval)
const to = from + 6 * 3600

/** A machine of a GPU name, rented in part at odd slots. */
const seen = (slot: number, machine: number, gpu: string, host: number | null): MachineAtSlot => {
  const isOdd = ((slot - from) / interval) % 2 === 1
  return {
    slot,
    machine,
    gpu,
    host,
    rig: machine % 3 === 0 ? 8 : 4,
    verified: machine % 4 > 0,
    hosting: machine % 2 ? ('community' as const) : ('secure_cloud' as const),
    tflops: 30,
    dlperf: 60,
    free: 1,
    price: 1 + (machine % 5) / 10,
    rented: isOdd ? [{ gpus: 2, price: 2 }] : [],
  }
}
const some = (count: number, first: number) => Array.from({ length: count }, (_, n) => first + n)
const market = (slot: number): MachineAtSlot[] => {
  const turn = (slot - from) / interval
  return [
    // GPU names with many machines and hosts, too few machines, too few hosts, and unknown hosts.
    ...some(12, 100).map((machine) => seen(slot, machine, 'RTX 4090', machine % 4)),
    ...some(4, 200).map((machine) => seen(slot, machine, 'H100 SXM', machine)),
    ...some(8, 300).map((machine) => seen(slot, machine, 'A100', machine % 2)),
    ...some(6, 400).map((machine) => seen(slot, machine, 'L4', null)),
    // Three machines at a time, other ones at each slot, and none at the end of an hour.
    ...(turn % 4 === 3
      ? []
      : some(3, 500 + 10 * turn).map((machine) => seen(slot, machine, 'Titan V', machine))),
  ]
}
const names = ['A100', 'H100 SXM', 'L4', 'RTX 4090', 'Titan V']

let server: TestServer
beforeAll(async () => {
  server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
  for (const slot of slots) await spool(server.postgres, slot, market(slot))
  await loadAll(server)
})
afterAll(() => server?.close())

const inOrder = (buckets: ThinBucket[]) =>
  buckets
    .map(
      ({ gpu_name, start, rented_thin, avail_thin }) => `${gpu_name} ${start} ${rented_thin} ${avail_thin}`,
    )
    .sort()

/** Expects equal thin marks from the cube and from observations, for steps that the cube stores and for steps that it can derive. */
async function expectSame(): Promise<void> {
  for (const filter of [
    everything,
    { ...everything, verified: 'yes' as const },
    { ...everything, hosting_type: 'community' as const, num_gpus: 8 },
  ])
    for (const [step, stored_step] of [
      [interval, 1],
      [interval, 900],
      [3600, 3600],
      [7200, 3600],
      [21_600, 21_600],
    ] as const) {
      const asked = { names, ...filter, step, from, to }
      const stored = await selectStoredThin(server.clickhouse, { ...asked, stored_step })
      const observed = await selectThin(server.clickhouse, asked)
      expect(inOrder(stored), `${JSON.stringify(filter)} ${step}`).toEqual(inOrder(observed))
    }
}

it('thin marks of the cube equal the marks from observations', expectSame)

it('observations are read only if the marks of the cube are undecided', async () => {
  const query = vi.spyOn(server.clickhouse, 'query')
  const observed = async (gpu: string, step: number, stored_step: number) => {
    query.mockClear()
    await selectStoredThin(server.clickhouse, { names: [gpu], ...everything, step, stored_step, from, to })
    return query.mock.calls.some(([{ query: text }]) => text.includes('FROM observations'))
  }
  try {
    expect(await observed('RTX 4090', 3600, 3600)).toBe(false)
    expect(await observed('L4', 3600, 3600)).toBe(false)
    expect(await observed('Titan V', 3600, 3600)).toBe(true)
    expect(await observed('Titan V', interval, 1)).toBe(false)
    expect(await observed('H100 SXM', interval, 1)).toBe(false)
  } finally {
    query.mockRestore()
  }
})

/** The performance of GPUs at the end of ranges with a step on the ladder, of other whole hours, and of single slots. */
const performance = async () => {
  const ranges = [
    { step: 3600, end: to },
    { step: 7200, end: to - 7200 },
    { step: interval, end: to - interval },
  ]
  const answers = ranges.map(async ({ step, end }) => {
    const { body } = await server.get(
      `/api/v0/metrics/gpu/history?gpu_name=${names.join()}&verified=all&step=${step}&start=${from}&end=${end}`,
    )
    return Object.entries((body as { gpus: Record<string, GpuHistory> }).gpus).map(([name, { stats }]) => [
      step,
      name,
      stats,
    ])
  })
  return (await Promise.all(answers)).flat()
}

it('marks and performance are right where the cube lacks them, and after a rebuild', async () => {
  const { clickhouse } = server
  const before = await performance()
  expect(before).toContainEqual([3600, 'A100', expect.objectContaining({ dlperf_per_dollar: 60 / 1.1 })])
  const cube = 'cube/*!_local ON CLUSTER $cluster*/'
  const set = `rented_thin = 'unknown', avail_thin = 'unknown', last_ask_diff = NULL`
  await execute(clickhouse, `ALTER TABLE ${cube} UPDATE ${set} WHERE 1 SETTINGS mutations_sync = 2`)
  await expectSame()
  expect(await performance()).toEqual(before)
  await rebuildSeries(server, await seriesRange(clickhouse))
  const complete = `rented_thin != 'unknown' AND last_ask_diff IS NOT NULL`
  expect(await selectRows(clickhouse, `SELECT 1 FROM cube FINAL WHERE ${complete} LIMIT 1`)).toHaveLength(1)
  await expectSame()
  expect(await performance()).toEqual(before)
})
