import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GpuDepth } from '../../contract/depth.ts'
import type { Filters } from '../../contract/market-filter.ts'
import type { GpuPrices } from '../../contract/prices.ts'
import type { GpuRevenue } from '../../contract/revenue.ts'
import { loadAll } from '../../ingest/load.ts'
import { groupBy } from '../../platform/group-by.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { seeded } from '../../simulate/random.ts'
import type { Seen } from '../oracle/history.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

// 3,000 machines of 900 hosts, each with a price of its own. `quiet` and `swapped` are two worlds that differ only in which machines are rented
// and which are off the market: what is on offer, and how many of each class and price bin are rented, is the same. A day lies between them.
const random = seeded(41)
const quiet = 1_795_132_800
const swapped = quiet + 86_400
const gpus = ['RTX 4090', 'H100 SXM']
const machines = Array.from({ length: 3000 }, (_, index) => ({
  machine: index + 1,
  host: 2001 + Math.floor(random() * 900),
  gpu: gpus[index % 4 === 0 ? 1 : 0] as string,
  rig: [1, 2, 4, 8][Math.floor(random() * 4)] as number,
  verified: random() < 0.8,
  hosting: random() < 0.3 ? ('secure_cloud' as const) : ('community' as const),
  price: (20_000 + index * 7 + Math.floor(random() * 7)) / 100_000,
  tflops: 80,
  dlperf: 90,
}))
type Machine = (typeof machines)[number]

const classOf = ({ gpu, rig, verified, hosting }: Machine) => `${gpu} ${rig} ${verified} ${hosting}`
/** A cent: the narrowest bin. */
const cellOf = ({ price }: Machine) => Math.floor(price * 100)

/** Which machines are rented in each world, or off the market, or on offer: in pairs of one class and cent, and of two hosts. */
const states = new Map<number, 'offered' | 'rented' | 'quiet' | 'swapped'>()
const waiting = new Map<string, Machine>()
for (const one of machines) {
  const kind = random()
  if (kind < 0.4) states.set(one.machine, kind < 0.2 ? 'offered' : 'rented')
  else {
    const key = `${classOf(one)} ${cellOf(one)}`
    const other = waiting.get(key)
    if (!other || other.host === one.host) {
      states.set(one.machine, 'rented')
      waiting.set(key, one)
      continue
    }
    waiting.delete(key)
    states.set(other.machine, 'quiet')
    states.set(one.machine, 'swapped')
  }
}

const seenAt = (slot: number): Seen[] =>
  machines.flatMap((one) => {
    const state = states.get(one.machine)
    if (state === 'offered') return [{ ...one, slot, free: one.rig, rented: [] }]
    const isRented = state === 'rented' || state === (slot === quiet ? 'quiet' : 'swapped')
    return isRented ? [{ ...one, slot, free: 0, rented: [{ gpus: one.rig, price: one.price }] }] : []
  })

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  const { postgres } = server
  await postgres.query(`INSERT INTO accounts (id, name, is_host) VALUES (1001, 'host', true)`)
  await postgres.query(
    `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
     VALUES (5001, 1001, 'RTX 4090', 1, 24576, 80, 90, 1000, 'verified', 'community')`,
  )
  await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES (5001, 0.31)')
  key = (await createKey(postgres, { accountId: 1001 })).key
  for (const slot of [quiet, swapped]) {
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

const filters = [
  ['all', 'all', 'all'],
  ['all', 'all', '8'],
  ['yes', 'all', '1'],
  ['yes', 'community', 'all'],
  ['no', 'secure_cloud', '2'],
  ['no', 'all', 'all'],
].map(
  ([verified, hosting, rig]) => `gpu_name=all&verified=${verified}&hosting_type=${hosting}&num_gpus=${rig}`,
)

/** A value of each filter that splits bins: all but `verified` and the size of memory. */
const splitting: Omit<Filters, 'verified' | 'gpu_memory'> = { hosting_type: 'community', num_gpus: '8' }

/** What stays the same when both worlds are the same to a host: all but the times. */
const withoutTimes = (body: object): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      ['slot', 'timestamps', 'time'].includes(name) ? undefined : value,
    ),
  )

/** The questions about a world whose answers differ from those about the other one. */
async function tellApart(questions: readonly ((slot: number) => string)[]): Promise<string[]> {
  const told: string[] = []
  for (const question of questions) {
    const [one, other] = [await ask<object>(question(quiet)), await ask<object>(question(swapped))]
    if (JSON.stringify(withoutTimes(one)) !== JSON.stringify(withoutTimes(other)))
      told.push(question(swapped))
  }
  return told
}

describe('a host with all endpoints and the list of prices', () => {
  it('meets two worlds in which hundreds of machines of others earn differently', () => {
    const count = (wanted: string) => [...states.values()].filter((state) => state === wanted).length
    expect(count('quiet')).toBeGreaterThan(300)
    expect(count('swapped')).toBe(count('quiet'))
    expect(new Set(machines.map(({ price }) => price)).size).toBe(3000)
  })

  it('cannot tell them apart by any filter, price, bin or step, so no difference of answers tells either', async () => {
    const range = (slot: number) => `start=${slot}&end=${slot + 3599}`
    const depths = filters.map((filter) => (slot: number) => `depth?${filter}&at=${slot}`)
    const bins = [1, 7, 30, 113, 200]
    const prices = filters.map((filter, index) => {
      const step = [3600, 21_600, 86_400][index % 3]
      return (slot: number) =>
        `prices?${filter}&${range(slot)}&step=${step}&bins=${bins[index % bins.length]}`
    })
    const others = ['all', 'yes'].flatMap((verified) => [
      (slot: number) => `depth?gpu_name=all&verified=${verified}&at=${slot}&gpus=8&per_machine=4`,
      (slot: number) => `depth?gpu_name=all&verified=${verified}&at=${slot}&days=1`,
      (slot: number) => `availability?gpu_name=all&verified=${verified}&${range(slot)}&gpus=8`,
    ])
    expect(await tellApart([...depths, ...prices, ...others])).toEqual([])
  })

  it('sees mean prices of the rented GPUs to three digits', async () => {
    const meansAt = async (slot: number) => {
      const range = `start=${slot}&end=${slot + 3599}`
      const answers = await Promise.all(
        filters.map((filter) => ask<{ gpus: Record<string, GpuRevenue> }>(`revenue?${filter}&${range}`)),
      )
      return answers.flatMap(({ gpus: figures }) => Object.values(figures).flatMap(({ adr }) => adr))
    }
    const [one, other] = [await meansAt(quiet), await meansAt(swapped)]
    for (const [index, mean] of one.entries()) {
      expect(Number(mean?.toPrecision(3))).toBe(mean)
      expect(Math.abs((mean ?? 0) - (other[index] ?? 0))).toBeLessThan(0.0015)
    }
  })

  it('sees rented GPUs in bins of at least 3 hosts and 10 GPUs, and all of them', async () => {
    const onMarket = seenAt(swapped)
    let bins = 0
    for (const verified of ['yes', 'no']) {
      const filter = `gpu_name=all&verified=${verified}`
      const { gpus: books } = await ask<{ gpus: Record<string, GpuDepth> }>(`depth?${filter}&at=${swapped}`)
      const step = `start=${swapped}&end=${swapped + 3599}&step=3600&bins=200`
      const { gpus: maps } = await ask<{ gpus: Record<string, GpuPrices> }>(`prices?${filter}&${step}`)
      for (const [name, { rented }] of Object.entries(books)) {
        const among = onMarket.filter((one) => one.gpu === name && one.verified === (verified === 'yes'))
        const gpusOf = (seen: Seen[]) => seen.reduce((sum, { rig }) => sum + rig, 0)
        for (const [index, low] of rented.low.entries()) {
          const [high = 0, count = 0] = [rented.high[index], rented.gpus[index]]
          const inside = among.filter(({ price }) => price >= low && price < high)
          expect(new Set(inside.map(({ host }) => host)).size).toBeGreaterThanOrEqual(3)
          expect(gpusOf(inside)).toBeGreaterThanOrEqual(10)
          expect(count).toBe(gpusOf(inside.filter(({ rented }) => rented.length > 0)))
          bins += 1
        }
        const all = gpusOf(among.filter(({ rented: held }) => held.length > 0))
        const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)
        expect(sum(rented.gpus) + rented.unpriced).toBe(all)
        const map = maps[name]
        expect(sum(map?.rented.map(sum) ?? []) + sum(map?.rented_unpriced ?? [])).toBeCloseTo(all, 6)
        expect(rented.unpriced / all).toBeLessThan(0.1)
      }
    }
    expect(bins).toBeGreaterThan(40)
  })

  it.each(Object.entries(splitting))(
    'sees no price of a rented GPU with the filter %s',
    async (name, value) => {
      const filter = `gpu_name=all&verified=all&${name}=${value}`
      const { gpus: books } = await ask<{ gpus: Record<string, GpuDepth> }>(`depth?${filter}&at=${swapped}`)
      const range = `start=${swapped}&end=${swapped + 3599}`
      for (const step of [3600, 21_600]) {
        const { gpus: maps } = await ask<{ gpus: Record<string, GpuPrices> }>(
          `prices?${filter}&${range}&step=${step}`,
        )
        for (const map of Object.values(maps)) {
          expect(Math.max(...map.rented.flat())).toBe(0)
          expect(Math.min(...map.rented_unpriced)).toBeGreaterThan(0)
          expect(Math.max(...map.available.flat())).toBeGreaterThan(0)
        }
      }
      expect(Object.keys(books)).toEqual(expect.arrayContaining(gpus))
      for (const { rented, available } of Object.values(books)) {
        expect(rented.gpus).toEqual([])
        expect(rented.unpriced).toBeGreaterThan(0)
        expect(available.length).toBeGreaterThan(0)
      }
    },
  )

  it('cannot find the price of a rented machine with prices of its own machine', async () => {
    const shares = new Map<number, number>()
    // From the lowest to the highest price in tenths of a cent would find each price at which the share grows at once.
    for (let price = 2500; price < 2700; price += 10) {
      await server.postgres.query('UPDATE gpu_listings SET price = $1 WHERE machine_id = 5001', [price / 1e4])
      const { body } = await server.get('/api/v0/metrics/machines?verified=all&figures=no', key)
      const [own] = (body as { machines: { rented_percentile: number }[] }).machines
      shares.set(price, own?.rented_percentile ?? Number.NaN)
    }
    const steps = [...shares.values()].map((share, index, all) => share - (all[index - 1] ?? share))
    const inBins = groupBy([...shares.keys()].slice(1), (price) => Math.ceil(price / 100))
    for (const [bin, prices] of inBins) {
      const grown = prices.map((price) => steps[[...shares.keys()].indexOf(price)] ?? 0)
      for (const one of grown) expect(one, `${bin}`).toBeCloseTo(grown[0] ?? 0, 9)
    }
  })

  it('sees rented GPUs at no place', async () => {
    const { locations } = await ask<{ locations: { rented: boolean; latitude: unknown; city: string }[] }>(
      'locations',
    )
    expect(locations.some(({ rented }) => rented)).toBe(true)
    for (const { rented, latitude, city } of locations)
      if (rented) expect([latitude, city]).toEqual([null, ''])
  })
})

describe('after an upgrade', () => {
  it('hosts see no price of what was rented until the past has its bins', async () => {
    const { postgres, clickhouse } = server
    const book = () => ask<{ gpus: Record<string, GpuDepth> }>(`depth?gpu_name=all&at=${swapped}&days=2`)
    const before = (await book()).gpus
    for (const table of ['price_histogram', 'price_steps'])
      await execute(clickhouse, `ALTER TABLE ${table} UPDATE bin = 0 WHERE 1 SETTINGS mutations_sync = 2`)
    const lacks = await selectRows<{ before: number }>(clickhouse, 'series/without_bins')
    expect(lacks).toEqual([{ before: swapped + 3600 }])
    await postgres.query(`UPDATE backfills SET todo_before = 4102444800 WHERE what = 'bins'`)
    // Other questions, since answers are kept.
    for (const range of ['&days=3', '']) {
      const { gpus } = await ask<{ gpus: Record<string, GpuDepth> }>(`depth?gpu_name=all&at=${quiet}${range}`)
      for (const { rented } of Object.values(gpus))
        expect([rented.low, rented.unpriced > 0]).toEqual([[], true])
    }
    await loadAll(server)
    const { rows } = await postgres.query(`SELECT todo_before FROM backfills WHERE what = 'bins'`)
    expect(rows).toEqual([{ todo_before: 0 }])
    for (const table of ['price_histogram', 'price_steps'])
      expect(
        await selectRows(clickhouse, `SELECT 1 FROM ${table} FINAL WHERE rented AND bin = 0 LIMIT 1`),
      ).toEqual([])
    expect((await book()).gpus).toEqual(before)
  })
})

describe('the market of a source', () => {
  it('keeps the exact prices, since the source shows them to everybody', async () => {
    await server.postgres.query(`INSERT INTO collector (source) VALUES ('exporter=https://example.com')`)
    const { gpus: books } = await ask<{ gpus: Record<string, GpuDepth> }>(
      `depth?gpu_name=all&verified=all&num_gpus=8&gpus=3&at=${swapped}`,
    )
    const rented = seenAt(swapped).filter((one) => one.rig === 8 && one.rented.length > 0)
    for (const [name, { rented: told }] of Object.entries(books)) {
      const prices = rented.filter(({ gpu }) => gpu === name).map(({ price }) => price)
      expect(told.low).toEqual(prices.sort((a, b) => a - b))
      expect(told.high).toEqual(told.low)
    }
    expect((await tellApart([(slot) => `depth?${filters[0]}&gpus=3&at=${slot}`])).length).toBe(1)
    await server.postgres.query('DELETE FROM collector')
  })
})

describe('a slot', () => {
  const first = swapped + 86_400
  /** Machines of 4 GPUs, each of another host, all rented. */
  const rentedAt = (slot: number, prices: readonly number[]): Seen[] =>
    prices.map((price, index) => ({
      machine: 9001 + index,
      host: 9001 + index,
      gpu: 'L4',
      rig: 4,
      verified: true,
      hosting: 'community',
      price,
      tflops: 30,
      dlperf: 30,
      slot,
      free: 0,
      rented: [{ gpus: 4, price }],
    }))
  const land = async (slot: number, prices: readonly number[]) => {
    await spool(server.postgres, slot, rentedAt(slot, prices))
    await loadAll(server)
    const { gpus } = await ask<{ gpus: Record<string, GpuDepth> }>(`depth?gpu_name=L4&at=${first}`)
    return gpus.L4?.rented
  }

  it('has the bins of its hour, so a bin that holds too little later is wider in all slots of the hour', async () => {
    const [cent, next] = [0.205, 0.215]
    expect(await land(first, [cent, cent, cent, next, next, next])).toMatchObject({
      low: [0.2, 0.21],
      high: [0.21, 0.22],
      gpus: [12, 12],
    })
    expect(await land(first + 1800, [cent, cent, cent, cent, next, next])).toMatchObject({
      low: [0.2],
      high: [0.22],
      gpus: [24],
    })
    expect(await land(first + 3600, [cent, cent, cent])).toMatchObject({ gpus: [24] })
  })
})
