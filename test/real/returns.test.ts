import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReturnsAnswer } from '../../contract/returns.ts'
import { studentT } from '../../estimates/returns.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { seeded } from '../../simulate/random.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { classRow, type FoundRow, monthsInRow, movementIn } from '../../src/market/returns/classes.ts'
import { addSeen, day } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { earnedBy, medianOf, monthsOf, supplyOf, waitsOf } from '../oracle/returns.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const days = 95
const to = start + days * day

const kinds = [
  { gpu: 'RTX 4090', rig: 4, ram: 24_564, price: 0.4, share: 0.7 },
  { gpu: 'RTX 4090', rig: 1, ram: 24_564, price: 0.45, share: 0.5 },
  { gpu: 'A100 SXM4', rig: 8, ram: 40_960, price: 0.8, share: 0.6 },
  { gpu: 'A100 SXM4', rig: 8, ram: 81_920, price: 1.4, share: 0.9 },
]

/** Machines of four classes that come, leave, are rented in part and change their price; the last two are of a class of their own. */
function market(seed: number): MachineAtSlot[] {
  const random = seeded(seed)
  const fleet = Array.from({ length: 66 }, (_, index) => {
    const { share, ...kind } = kinds[index % 4] as (typeof kinds)[number]
    const few = index >= 64 ? { gpu: 'H200', rig: 2, ram: 143_771 } : {}
    const from = random() < 0.5 ? 0 : Math.floor(random() * days)
    return {
      ...kind,
      ...few,
      share,
      machine: index + 1,
      host: 10 + (index % 7),
      verified: index % 5 > 0,
      from,
      until: random() < 0.6 ? days : from + Math.floor(random() * days),
    }
  })
  const seen: MachineAtSlot[] = []
  for (let index = 0; index < days; index += 1)
    for (const hour of [3, 15])
      for (const { from, until, share, ...one } of fleet) {
        if (random() < 0.1) one.price = Math.round(one.price * (95 + 10 * random())) / 100
        if (index < from || index >= until) continue
        const taken = random() < share ? 1 + Math.floor(random() * one.rig) : 0
        seen.push({
          ...one,
          slot: start + index * day + hour * 3600,
          hosting: 'community',
          free: one.rig - taken,
          rented: taken > 0 ? [{ gpus: taken, price: one.price }] : [],
          tflops: 10,
          dlperf: 10,
        })
      }
  return seen
}

const seen = market(3)
let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await addSeen(server, seen)
  await publishDays(server)
})
afterAll(() => server?.close())

const ask = async (query: string, key?: string) =>
  (await server.get(`/api/v0/metrics/gpu/returns?${query}`, key)).body as ReturnsAnswer

const sizes: Record<number, number> = { 24564: 24, 40960: 40, 81920: 80, 143771: 141 }

describe('the returns of GPU types', () => {
  it.each([
    ['all machines', 'verified=all', () => true],
    ['verified machines', '', ({ verified }: MachineAtSlot) => verified],
  ])('are the incomes of the observations, of %s', async (_, query, isChosen) => {
    const answer = await ask(query)
    expect(answer).toMatchObject({ to, days: 90, left_out: 0, not_taken_off: ['fee', 'power'] })
    const thick = answer.classes.filter(({ gpu_name }) => gpu_name !== 'H200')
    expect(thick).toHaveLength(4)
    for (const found of thick) {
      const own = seen.filter(
        (one) =>
          isChosen(one) &&
          one.gpu === found.gpu_name &&
          one.rig === found.num_gpus &&
          sizes[one.ram ?? 0] === found.gpu_memory,
      )
      for (const [window, earned] of [[30, found.days_30] as const, [90, found.days_90] as const]) {
        const { income, error, ...expected } = earnedBy(own, { to, days: window })
        const width = studentT(expected.machines - 1) * error
        expect(earned.income.value).toBeCloseTo(income, 9)
        expect(earned.income.low).toBeCloseTo(Math.max(0, income - width), 9)
        expect(earned.income.high).toBeCloseTo(income + width, 9)
        for (const [name, value] of Object.entries(expected))
          expect(earned[name as keyof typeof expected], `${name} of ${window} days`).toBeCloseTo(value, 9)
        expect(earned.reason).toBeNull()
      }
      const { growth, ...supply } = supplyOf(own, to)
      expect(found.supply).toMatchObject(supply)
      expect(found.supply.growth).toBeCloseTo(growth ?? Number.NaN, 9)
      const waits = waitsOf(own, { to, first: start })
      expect(found.new_machines).toBe(waits.length)
      if (waits.length >= 5) expect(found.first_rental_hours).toBe(medianOf(waits))
      else expect(found.first_rental_hours).toBeNull()
      expect(found.net).toEqual(found.days_30.income)
    }
  })

  it('have months of the observations, and no outlook from fewer than 20 changes', async () => {
    const rows = await selectRows<FoundRow>(server.clickhouse, 'returns/classes', {
      verified: 'all',
      hosting_type: 'all',
      num_gpus: 0,
      gpu_memory: 0,
      to,
    })
    const long = rows.filter(({ days }) => days === 90).map(classRow)
    for (const row of long) {
      const own = seen.filter(
        (one) => one.gpu === row.gpu_name && one.rig === row.rig && sizes[one.ram ?? 0] === row.memory,
      )
      const months = monthsInRow(row)
      if (row.machines < 5) continue
      expect(months).toEqual(
        monthsOf(own, to).map(({ machines, income, spread }) => ({
          machines,
          income: expect.closeTo(income, 9),
          spread: expect.closeTo(spread, 9),
        })),
      )
    }
    expect(movementIn(long, 90)).toBeNull()
    const many = Array.from({ length: 3 }, () => long).flat()
    expect(movementIn(many, 90)).not.toBeNull()
    expect(movementIn(many, 59)).toBeNull()
    for (const { next_30, next_30_reason, days_30 } of (await ask('verified=all')).classes) {
      expect(next_30).toEqual({ value: null, low: null, high: null })
      expect(next_30_reason).toBe(days_30.reason ?? 'young_market')
    }
  })

  it('have no figures of a class of two machines, and not its zero', async () => {
    const { classes } = await ask('verified=all&purchase_price=H200:31000')
    const few = classes.find(({ gpu_name }) => gpu_name === 'H200')
    expect(few).toMatchObject({
      days_30: { income: { value: null }, median: null, occupancy: null, reason: 'few_machines' },
      net: { value: null, low: null, high: null },
      net_reason: 'few_machines',
      payback: { months: null, reason: 'no_income' },
      net_per_dollar: null,
    })
    expect(classes.at(-1)).toEqual(few)
  })

  it('take off power and fee, and give the payback of a purchase price', async () => {
    const { classes, not_taken_off } = await ask(
      'verified=all&kwh_price=0.3&fee=0.25&purchase_price=rtx 4090:1650&order=payback&days=90',
    )
    expect(not_taken_off).toEqual([])
    const [best, second] = classes
    expect([best?.gpu_name, second?.gpu_name]).toEqual(['RTX 4090', 'RTX 4090'])
    const { value = 0 } = best?.days_90.income ?? {}
    const power = (24 * 0.3 * (52 + (450 - 52) * (best?.days_90.occupancy ?? 0))) / 1000
    expect(best?.net.value).toBeCloseTo((value ?? 0) * 0.75 - power, 9)
    expect(best?.payback.months).toBeCloseTo(1650 / ((best?.net.value ?? 0) * (365 / 12)), 9)
    expect(best?.payback.low).toBeLessThan(best?.payback.months ?? 0)
    expect(best?.net_per_dollar).toBeCloseTo((best?.net.value ?? 0) / 1650, 12)
    expect(best?.net_per_watt).toBeCloseTo((best?.net.value ?? 0) / 450, 12)
    const others = classes.filter(({ gpu_name }) => gpu_name === 'A100 SXM4')
    expect(others.map(({ payback }) => payback.reason)).toEqual(['no_purchase_price', 'no_purchase_price'])
  })

  it('have the change of the price index, and null where a day has no link', async () => {
    const { classes } = await ask('verified=all')
    const index = await selectRows<{ moved: number; links: number }>(
      server.clickhouse,
      `SELECT sum(ln_link) AS moved, count(ln_link) AS links FROM price_index FINAL
       WHERE gpu_name = 'RTX 4090' AND day >= toDate(toDateTime({to:UInt32}, 'UTC')) - 30`,
      { to },
    )
    const [{ moved = 0, links = 0 } = {}] = index
    const found = classes.find(({ gpu_name }) => gpu_name === 'RTX 4090')?.price_change.days_30
    if (links === 30) expect(found).toBeCloseTo(Math.expm1(moved), 9)
    else expect(found).toBeNull()
    expect(classes.find(({ gpu_name }) => gpu_name === 'H200')?.price_change.days_90).toBeNull()
  })

  it('are limited, and refuse what is wrong', async () => {
    expect(await ask('verified=all&limit=2')).toMatchObject({ left_out: 3, classes: { length: 2 } })
    for (const query of [
      'days=31',
      'fee=1',
      'kwh_price=-1',
      'kwh_price=1e3',
      'purchase_price=RTX 4090',
      'purchase_price=RTX 4090:0',
      'order=best',
      'limit=0',
      'limit=501',
    ])
      expect((await server.get(`/api/v0/metrics/gpu/returns?${query}`)).status, query).toBe(400)
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    expect(await ask('', key)).toMatchObject({ needs_machine: true, classes: [], to: null })
  })
})

it('a market of a day has nulls with a reason', async () => {
  const young = await startServer({ seriesMaxAgeMs: 0 })
  try {
    expect((await young.get('/api/v0/metrics/gpu/returns')).body).toMatchObject({ to: null, classes: [] })
    await addSeen(
      young,
      seen.filter(({ slot }) => slot < start + 2 * day),
    )
    await publishDays(young)
    const { classes, days: known } = (await young.get('/api/v0/metrics/gpu/returns?verified=all'))
      .body as ReturnsAnswer
    expect(known).toBe(2)
    expect(classes.length).toBeGreaterThan(0)
    for (const { days_30, supply, first_rental_hours } of classes) {
      expect(days_30).toMatchObject({ income: { value: null }, reason: 'young_market' })
      expect(supply).toMatchObject({ growth: null, arrived: null, left: null })
      expect(first_rental_hours).toBeNull()
    }
  } finally {
    await young.close()
  }
})
