import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrentGpu } from '../../contract/current.ts'
import type { GpuDepth } from '../../contract/depth.ts'
import type { GpuPrices } from '../../contract/prices.ts'
import type { GpuRevenue } from '../../contract/revenue.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { seeded } from '../../simulate/random.ts'
import { selectMarket } from '../../src/alerts/market-rows.ts'
import { watchSeries } from '../../src/market/market-query/series.ts'
import { exportDays } from '../../src/publish/data/export.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import {
  expectedCurrent,
  expectedDepth,
  expectedMeanDepth,
  expectedPrices,
  expectedRevenue,
  type Filter,
  pricedOf,
  slotsOfBook,
} from '../oracle/market.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

// 400 machines of 90 hosts, each with a price of its own, and five GPU names of few: with as many machines and hosts as a cell needs at least, with
// one machine or one host less, and one that has enough in the first of two slots only.
const random = seeded(41)
const hour = 1_795_132_800
const slots = [hour, hour + 1800]
const [first, newest] = [hour, hour + 1800]
const common = Array.from({ length: 400 }, (_, index) => ({
  gpu: index % 4 === 0 ? 'H100 SXM' : 'RTX 4090',
  host: 2001 + Math.floor(random() * 90),
  rig: [1, 2, 4, 8][Math.floor(random() * 4)] ?? 1,
  verified: random() < 0.8,
  hosting: random() < 0.3 ? ('secure_cloud' as const) : ('community' as const),
  isRented: random() < 0.6,
}))
/** Machines of a GPU name, one for each of the hosts. */
const rare = (gpu: string, hosts: readonly number[]) =>
  hosts.map((host) => ({ gpu, host, rig: 2, verified: true, hosting: 'community' as const, isRented: true }))
const machines = [
  ...common,
  ...rare('L4', [1, 1, 2, 2, 3]),
  ...rare('A40', [1, 2, 3, 4]),
  ...rare('A16', [1, 1, 1, 2, 2]),
  ...rare('T4', [1, 2, 3, 4, 5]),
  ...rare('V100', [1]),
].map((one, index) => ({
  ...one,
  machine: index + 1,
  price: (20_000 + index * 7 + Math.floor(random() * 7)) / 100_000,
  ram: 24_576,
  tflops: 80,
  dlperf: 90,
}))
const names = ['RTX 4090', 'H100 SXM', 'L4', 'A40', 'A16', 'T4', 'V100']

const seenAt = (slot: number): MachineAtSlot[] =>
  machines.map(({ isRented, ...one }) => {
    const isFree = !isRented || (one.gpu === 'T4' && one.host > 3 && slot === newest)
    return isFree
      ? { ...one, slot, free: one.rig, rented: [] }
      : { ...one, slot, free: 0, rented: [{ gpus: one.rig, price: one.price }] }
  })
const seen = slots.flatMap(seenAt)

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  const { postgres } = server
  await postgres.query(`INSERT INTO accounts (id, name, is_host) VALUES (1001, 'host', true)`)
  // A machine of each GPU name, at a price in the middle of the market.
  for (const [index, name] of names.entries()) {
    await postgres.query(
      `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
       VALUES ($1, 1001, $2, 1, 24576, 80, 90, 1000, 'verified', 'community')`,
      [5001 + index, name],
    )
    await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, 0.2137)', [5001 + index])
  }
  key = (await createKey(postgres, { accountId: 1001 })).key
  for (const slot of slots) {
    await spool(postgres, slot, seenAt(slot))
    await loadAll(server)
  }
})
afterAll(() => server?.close())

async function ask<Answer>(path: string): Promise<Answer> {
  const { status, body } = await server.get(`/api/v0/metrics/gpu/${path}`, key)
  expect(status, path).toBe(200)
  return body as Answer
}
const figuresOf = async <Figures>(path: string) => (await ask<{ gpus: Record<string, Figures> }>(path)).gpus

const filters: Omit<Filter, 'gpu'>[] = [
  { verified: 'all', hosting: 'all', rig: 'all' },
  { verified: 'all', hosting: 'all', rig: 8 },
  { verified: 'yes', hosting: 'community', rig: 1 },
  { verified: 'no', hosting: 'secure_cloud', rig: 2 },
  { verified: 'no', hosting: 'all', rig: 'all', memory: 24 },
]
const queryOf = ({ verified, hosting, rig, memory = 'all' }: Omit<Filter, 'gpu'>) =>
  `gpu_name=all&verified=${verified}&hosting_type=${hosting}&num_gpus=${rig}&gpu_memory=${memory}`
const near = (value: unknown): unknown => {
  if (typeof value === 'number') return expect.closeTo(value, 9)
  if (Array.isArray(value)) return value.map(near)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, near(inner)]))
}

describe('prices of rented GPUs', () => {
  it('are exact with 5 machines of 3 hosts, and missing with one less of either', async () => {
    const gpus = await figuresOf<GpuDepth>('depth?gpu_name=all&verified=all')
    const shown = machines.filter(({ gpu }) => gpu === 'L4').map(({ price }) => price)
    expect(gpus.L4?.rented).toEqual({ price: shown, gpus: [2, 2, 2, 2, 2], unpriced: 0, reason: null })
    for (const [name, unpriced] of Object.entries({ A40: 8, A16: 10, T4: 6, V100: 2 }))
      expect(gpus[name]?.rented).toEqual({ price: [], gpus: [], unpriced, reason: 'few_hosts' })
  })

  it.each(filters)('equal the plain definition with %o', async (filter) => {
    const query = queryOf(filter)
    const [books, means, maps, revenues] = [
      await figuresOf<GpuDepth>(`depth?${query}&gpus=3`),
      await figuresOf<GpuDepth>(`depth?${query}&days=1`),
      await figuresOf<GpuPrices>(`prices?${query}&start=${hour}&end=${hour + 3599}&step=3600&bins=30`),
      await figuresOf<GpuRevenue>(`revenue?${query}&start=${hour}&end=${hour + 3599}&step=3600`),
    ]
    const range = { start: hour, end: hour + 3599, step: 3600 }
    for (const gpu of names) {
      const of = { ...filter, gpu }
      expect(books[gpu]).toEqual(near(expectedDepth(seen, newest, of, { wanted: 3, perMachine: 1 })))
      expect(means[gpu]).toEqual(near(expectedMeanDepth(seen, slotsOfBook(slots, newest, 1), of)))
      const edges = maps[gpu]?.edges ?? []
      expect(maps[gpu]).toEqual(near(expectedPrices(seen, slots, { ...of, ...range }, edges)))
      expect(revenues[gpu]).toEqual(near(expectedRevenue(seen, slots, { ...of, ...range })))
    }
    const current = await ask<{ gpus: CurrentGpu[] }>(`current?${query.replace('gpu_name=all&', '')}`)
    for (const row of current.gpus)
      expect(row).toEqual(near(expectedCurrent(seen, slots, { ...filter, gpu: row.gpu_name })))
  })

  it('are shown for an hour in which one of the slots has enough', async () => {
    const range = `start=${hour}&end=${hour + 3599}&step=3600`
    const { T4 } = await figuresOf<GpuRevenue>(`revenue?gpu_name=T4&${range}`)
    expect(T4).toMatchObject({ adr: [expect.any(Number)], reason: [null] })
    const { A40 } = await figuresOf<GpuRevenue>(`revenue?gpu_name=A40&${range}`)
    expect(A40).toMatchObject({ revpag: [null], adr: [null], occupancy: [1], reason: ['few_hosts'] })
    const before = await figuresOf<GpuDepth>(`depth?gpu_name=T4&at=${first}`)
    expect(before.T4?.rented).toMatchObject({ unpriced: 0, gpus: [2, 2, 2, 2, 2] })
  })

  it.each(filters)('give own machines an exact rented_percentile with %o', async (filter) => {
    const query = queryOf(filter).replace('gpu_name=all&', '')
    const { body } = await server.get(`/api/v0/metrics/machines?${query}&figures=no`, key)
    const own = (body as { machines: { gpu_name: string; rented_percentile: number | null }[] }).machines
    expect(own).toHaveLength(names.length)
    for (const { gpu_name: gpu, rented_percentile } of own) {
      const isShown = expectedDepth(seen, newest, { ...filter, gpu }, { wanted: 1, perMachine: 1 }).rented
        .price
      const rented = pricedOf(seen, { ...filter, gpu }).filter((one) => one.rented && one.slot === newest)
      const gpusOf = (among: typeof rented) => among.reduce((sum, one) => sum + one.gpus, 0)
      const share = gpusOf(rented.filter(({ price }) => price < 0.2137)) / gpusOf(rented)
      expect(rented_percentile, gpu).toEqual(isShown.length === 0 ? null : expect.closeTo(share, 9))
    }
  })

  it('stay out of alerts, gauges and files if they are of few machines', async () => {
    const series = watchSeries(server.postgres, server.clickhouse)
    const rows = await selectMarket(
      { clickhouse: server.clickhouse, series },
      { from: newest, to: newest + 1 },
    )
    const medianOf = (name: string) =>
      rows.find(
        ({ gpu_name, verified, num_gpus, hosting_type }) =>
          [gpu_name, verified, num_gpus, hosting_type].join() === `${name},all,0,all`,
      )?.rented_median
    expect(medianOf('L4')).toEqual(expect.any(Number))
    for (const name of ['A40', 'A16', 'T4', 'V100']) expect(medianOf(name), name).toBeNull()

    const gauges = String((await server.get('/metrics/global', key)).body).split('\n')
    const gaugesOf = (metric: string, name: string) =>
      gauges.filter((line) => line.startsWith(`${metric}{`) && line.includes(`gpu_name="${name}"`))
    const rentedPrices = (name: string) =>
      gaugesOf('vastai_ondemand_price_median_dollars', name).filter((line) => line.includes('rented="yes"'))
    expect(rentedPrices('L4')).not.toEqual([])
    expect(rentedPrices('A40')).toEqual([])
    expect(gaugesOf('vastai_gpu_count', 'A40').some((line) => line.endsWith(' 8'))).toBe(true)

    const folder = await mkdtemp(join(tmpdir(), 'rackrate-files-'))
    const range = { from: hour, to: hour + 3600 }
    const written = await exportDays(server, {
      statistics: ['prices', 'hourly'],
      format: 'csv.gz',
      folder,
      ...range,
    })
    const texts = await Promise.all(
      written.map(async ({ path }) => gunzipSync(await readFile(path)).toString()),
    )
    await rm(folder, { recursive: true })
    const [prices = [], hourly = []] = texts.map((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => line.split(',')),
    )
    const valuesOf = (table: string[][], name: string, column: string, isRented?: string) => {
      const at = (field: string) => table[0]?.indexOf(`"${field}"`) ?? -1
      const rows = table.filter((row) => row[at('gpu_name')] === `"${name}"`)
      return rows
        .filter((row) => isRented === undefined || row[at('rented')] === isRented)
        .map((row) => row[at(column)] ?? '')
    }
    expect(valuesOf(prices, 'L4', 'price', 'true')).toHaveLength(5)
    expect(valuesOf(prices, 'L4', 'price', 'true')).not.toContain('')
    expect(valuesOf(prices, 'A40', 'price', 'true')).toEqual([''])
    expect(valuesOf(prices, 'A40', 'gpus', 'true')).toEqual(['16'])
    expect(valuesOf(hourly, 'L4', 'adr')).not.toContain('')
    for (const column of ['rented_median', 'adr', 'revpag'])
      expect(valuesOf(hourly, 'A40', column), column).toEqual([''])
  })

  it('stand in the history, whose contract asks for percentiles of all machines', async () => {
    const { V100 } = await figuresOf<{ pricing: { rented_median: number[] } }>(
      `history?gpu_name=V100&verified=all&start=${hour}&end=${hour + 3599}&step=3600`,
    )
    expect(V100?.pricing.rented_median).toEqual([machines.at(-1)?.price])
  })
})

it('rented GPUs have no place', async () => {
  const { locations } = await ask<{ locations: { rented: boolean; latitude: unknown; city: string }[] }>(
    'locations',
  )
  expect(locations.some(({ rented }) => rented)).toBe(true)
  for (const { rented, latitude, city } of locations) if (rented) expect([latitude, city]).toEqual([null, ''])
})

it('the market of a source shows the prices of all rented GPUs, since the source does', async () => {
  await server.postgres.query(`INSERT INTO collector (source) VALUES ('exporter=https://example.com')`)
  const gpus = await figuresOf<GpuDepth>('depth?gpu_name=all&verified=all&gpus=2')
  for (const gpu of names) {
    const of = { gpu, verified: 'all', hosting: 'all', rig: 'all' } as const
    const options = { wanted: 2, perMachine: 1, isOwn: false }
    expect(gpus[gpu]).toEqual(near(expectedDepth(seen, newest, of, options)))
  }
  await server.postgres.query('DELETE FROM collector')
})
