import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { soldMemory } from '../../contract/gpu-memory.ts'
import type { GpuHistory } from '../../contract/history.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { fillPast } from '../../ingest/fill-past.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { type AutopilotWorld, median, openAutopilotWorld } from '../autopilot.ts'
import { type MachineAtSlot, nearestRank } from '../oracle/history.ts'
import { spool } from '../random-market.ts'
import { replaceRows } from '../replace-rows.ts'

let site: AutopilotWorld
let slot = 0
beforeAll(async () => {
  site = await openAutopilotWorld()
  slot = Math.floor(site.server.clock.now() / 300) * 300
})
afterAll(() => site?.server.close())

/** The price and the MB of a machine of another host; null: not known. */
type Offer = readonly [price: number, ram: number | null]

/** Lands two slots of a market, in which the demo host has one machine of the GPU name. */
async function land(gpu: string, own: readonly [number, number], others: readonly Offer[]): Promise<void> {
  const { world, server } = site
  const { postgres } = server
  const query = `UPDATE machines SET gpu_name = $2, gpu_ram = $3, verification = 'verified', hosting_type = 'community' WHERE id = $1`
  await postgres.query(query, [world.machine_id, gpu, own[1]])
  await site.list(own[0])
  for (const step of [1, 2]) {
    const at = slot + step * 300
    await server.clock.hold(at + 60)
    const seen = (machine: number, [price, ram]: Offer): MachineAtSlot => ({
      slot: at,
      machine,
      gpu,
      rig: 1,
      verified: true,
      hosting: 'community',
      free: 1,
      price,
      ram,
      rented: [],
      tflops: 19,
      dlperf: 60,
      host: 10_000 + machine,
      country: '',
    })
    const mine = { ...seen(world.machine_id, own), host: world.host_id }
    await spool(postgres, at, [...others.map((offer, index) => seen(1000 + index, offer)), mine])
  }
  await loadAll(server)
  slot += 600
}

/** The reasons of the suggestions of a rule that follows the median of its class. */
async function suggested(): Promise<string> {
  await site.server.postgres.query('DELETE FROM autopilot_rules')
  await site.rule(median)
  return (await site.suggestions()).suggestions.map(({ reason }) => reason).join()
}

/** The messages that a rule on the price of the own machines would have sent. */
async function fired(): Promise<string[]> {
  const { server, world } = site
  const condition = { kind: 'machine_price', machine_id: null, slots: 1 }
  const { body } = await server.send('POST', '/api/v0/alerts/try', world.keys.host, { condition, days: 1 })
  const { entries } = body as { entries: { slot: number; text: string }[] }
  return entries.filter((entry) => entry.slot > slot - 600).map(({ text }) => text)
}

async function ownMachine() {
  const { body } = await site.server.get('/api/v0/metrics/machines', site.world.keys.host)
  const [machine] = (body as z.infer<typeof machinesAnswer>).machines
  if (!machine) throw new Error('the host has no machine')
  return machine
}

const cheap = [0.41, 0.43, 0.47, 0.52, 0.55, 0.58, 0.61, 0.66, 0.71]
const dear = [0.98, 1.05, 1.12, 1.48, 1.52, 1.57, 1.61, 1.69]
const sized = (prices: readonly number[], ...rams: (number | null)[]): Offer[] =>
  prices.map((price, index) => [price, rams[index % rams.length] ?? null])

// Last element: the other machines with the product of the own machine.
const markets: [string, string, readonly [number, number], Offer[], Offer[]][] = [
  ['with two sizes of memory', 'A100 SXM4', [1.4, 81_920], sized(cheap, 40_960), sized(dear, 81_920)],
  ['at the smaller of two sizes', 'A100 PCIE', [0.7, 40_960], sized(dear, 81_920), sized(cheap, 40_960)],
  [
    'with three sizes of memory',
    'A100X',
    [0.9, 65_536],
    [...sized(cheap, 40_960), ...sized(dear, 81_920)],
    sized([0.8, 0.85, 0.87, 0.91, 0.95], 65_536),
  ],
  ['with one size of memory', 'L40S', [0.7, 46_068], [], sized(cheap, 46_068)],
  ['with one size and machines of unknown memory', 'L4', [0.7, 23_034], [], sized(cheap, 23_034, null)],
  [
    'with two sizes and machines of unknown memory',
    'A800 PCIE',
    [1.4, 81_920],
    [...sized(cheap, 40_960), ...sized([0.5, 1.9, 2.1], null)],
    sized(dear, 81_920),
  ],
  [
    'whose drivers report several figures for one size',
    'A100 SXM',
    [0.7, 40_960],
    sized(dear, 81_920, 81_251),
    sized(cheap, 39_936, 40_960, 40_537),
  ],
  [
    'with 48 GB on a type of 24',
    'RTX 4090',
    [0.9, 49_140],
    sized(cheap, 24_564),
    sized(dear, 49_140, 48_510),
  ],
  ['with and without error correction', 'RTX A6000', [0.7, 49_140], [], sized(cheap, 46_068, 49_140)],
  [
    'whose users see less than is sold',
    'B200',
    [1.4, 183_359],
    sized(cheap, 98_304),
    sized(dear, 183_359, 196_608),
  ],
  [
    'with two sizes that are near each other',
    'RTX 3080',
    [0.7, 10_240],
    sized(dear, 12_288),
    sized(cheap, 10_018),
  ],
]

it.each(markets)('a machine of a GPU name %s is compared with the same product', async (...market) => {
  const [, gpu, own, otherProducts, same] = market
  await land(gpu, own, [...otherProducts, ...same])
  const prices = (tenths: number, offers: readonly Offer[]) =>
    nearestRank(
      offers.map(([value]) => ({ value, weight: 1 })),
      tenths,
    )
  expect(await suggested()).toContain(`The median of its class is $${prices(5, same)}`)
  const machine = await ownMachine()
  expect(machine.gpu_memory).toBe(soldMemory(own[1]))
  const all = [...same, own] as const
  const cheaper = all.filter(([price]) => price < own[0]).length
  expect(machine.avail_percentile).toBeCloseTo(cheaper / all.length, 9)
  const [low, high] = [prices(1, all), prices(9, all)]
  const isOutside = own[0] < Number(low) || own[0] > Number(high)
  expect((await fired()).length > 0).toBe(isOutside)
})

describe('a GPU name with two sizes of memory', () => {
  it('keeps a machine that is cheap for its size inside the band, and does not lower it', async () => {
    await land('A100 SXM4', [1.483, 81_920], [...sized(cheap, 40_960), ...sized(dear, 81_920)])
    expect(await fired()).toEqual([])
    expect(await suggested()).toContain('The median of its class is $1.48')
  })

  it('follows a machine whose memory changes to its new product', async () => {
    const others = [...sized(cheap, 40_960), ...sized(dear, 81_920)]
    await land('A100 SXM4', [0.6, 40_960], others)
    expect(await suggested()).toContain('The median of its class is $0.55')
    await land('A100 SXM4', [0.6, 81_920], others)
    expect(await suggested()).toContain('The median of its class is $1.48')
    expect((await ownMachine()).figures?.last_seen).toBe(slot)
  })

  it('answers each size, and by default all of them together', async () => {
    const history = async (memory: string) => {
      const query = `gpu_name=A100+SXM4&verified=all&start=${slot}&end=${slot + 1}&step=300${memory}`
      const { body } = await site.server.get(`/api/v0/metrics/gpu/history?${query}`)
      return (body as { gpus: Record<string, GpuHistory> }).gpus['A100 SXM4']
    }
    const [all, small, large, none] = await Promise.all(
      ['', '&gpu_memory=40', '&gpu_memory=80', '&gpu_memory=64'].map(history),
    )
    expect(all?.supply_demand.total_gpus).toEqual([18])
    expect(small?.supply_demand.total_gpus).toEqual([9])
    expect(large?.supply_demand.total_gpus).toEqual([9])
    expect(none?.supply_demand.total_gpus).toEqual([0])
    expect(small?.pricing.avail_median).toEqual([0.55])
    expect(large?.pricing.avail_median).toEqual([1.48])
    const { body } = await site.server.get('/api/v0/metrics/gpu/names')
    expect((body as { names: object[] }).names).toContainEqual(
      expect.objectContaining({ name: 'A100 SXM4', memory: [40, 80] }),
    )
    const unique = await site.server.get('/api/v0/gpu_names/unique')
    expect(unique.body).toMatchObject({ gpu_memory: { 'A100 SXM4': [40, 80] } })
  })

  it('has alert rules on one size of memory', async () => {
    const { server, world } = site
    const send = async (gpu_memory: number, limit: number) => {
      const condition = {
        kind: 'statistic',
        gpu_name: 'A100 SXM4',
        statistic: 'avail_median',
        is: 'above',
        limit,
        gpu_memory,
        slots: 1,
      }
      const body = { condition, days: 1 }
      const answer = await server.send('POST', '/api/v0/alerts/try', world.keys.host, body)
      return (answer.body as { now: { value: number }; entries: { text: string }[] }).now.value
    }
    expect([await send(40, 1), await send(80, 1), await send(64, 1)]).toEqual([0.55, 1.48, null])
  })
})

it('ClickHouse and the service compute the same size of memory for every value of a driver', async () => {
  const reported = [
    ...Array.from({ length: 4000 }, (_, index) => 1 + index * 77),
    2 ** 32 - 1,
    46_068,
    39_936,
  ]
  const { clickhouse } = site.server
  const local = 'observations/*!_local*/'
  const values = reported.map((ram, index) => `(toDateTime(${index + 1}), 'memory', ${ram})`)
  await execute(clickhouse, `INSERT INTO observations (slot, gpu_name, gpu_ram) VALUES ${values.join()}`)
  const query = `SELECT gpu_ram, gpu_memory FROM observations WHERE gpu_name = 'memory'`
  const rows = await selectRows<{ gpu_ram: number; gpu_memory: number }>(clickhouse, query)
  expect(rows).toHaveLength(reported.length)
  for (const { gpu_ram, gpu_memory } of rows) expect(gpu_memory, `${gpu_ram} MB`).toBe(soldMemory(gpu_ram))
  await execute(clickhouse, `DELETE FROM ${local} WHERE gpu_name = 'memory'`)
})

describe('after an upgrade', () => {
  const derived = ['price_histogram', 'price_steps', 'cube', 'flows']
  const contents = async () =>
    Promise.all(
      derived.map(async (table) => {
        const query = `SELECT count() AS rows, sum(cityHash64(* EXCEPT revision)) AS content FROM ${table} FINAL`
        return [table, (await selectRows(site.server.clickhouse, query))[0]]
      }),
    )

  it('sizes of the past are filled in, and rows without one are removed', async () => {
    const { server } = site
    const { clickhouse, postgres } = server
    expect(await check(server, await seriesRange(clickhouse))).toMatchObject({ problems: [] })
    const before = await contents()
    // Rows of the previous release: GPUs of all sizes in one row.
    const old: Record<string, string> = {
      price_histogram: `SELECT hour, gpu_name, num_gpus, verified, hosting_type, toUInt16(0) AS gpu_memory, 'unknown' AS tier, rented, price, sum(gpus), any(bin), any(revision)
        FROM price_histogram FINAL GROUP BY ALL`,
      price_steps: `SELECT step, gpu_name, bucket, num_gpus, verified, hosting_type, toUInt16(0) AS gpu_memory, 'unknown' AS tier, rented, price, sum(gpus), any(bin), any(revision)
        FROM price_steps FINAL GROUP BY ALL`,
      cube: 'SELECT * REPLACE (toUInt16(0) AS only_memory) FROM cube FINAL WHERE gpu_memory = 0',
      flows: 'SELECT * REPLACE (toUInt16(0) AS gpu_memory) FROM flows FINAL',
    }
    await replaceRows(clickhouse, old)
    expect(await contents()).not.toEqual(before)
    await postgres.query('UPDATE backfills SET todo_before = 4102444800')
    const range = await seriesRange(clickhouse)
    const checked = await check(server, range)
    expect(checked.problems).toEqual([])
    expect(checked.not_checked.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/^The derived rows before/),
    )
    expect(await fillPast(server)).toBeGreaterThan(0)
    expect(await contents()).toEqual(before)
    expect(await check(server, range)).toMatchObject({ problems: [] })
    const { rows } = await postgres.query('SELECT what FROM backfills WHERE todo_before > 0')
    expect(rows).toEqual([])
  })
})
