import { describe, expect, it } from 'vitest'
import { incomeCurve } from '../../contract/fill-rate.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import { sumPositions } from '../../src/metrics/fill/sum-positions.ts'
import { adviseOn } from '../../src/metrics/machines/advice.ts'
import type { ClassFlow } from '../../src/metrics/machines/compared.ts'
import { rateMarket } from '../../src/metrics/machines/market-rates.ts'
import { rateName } from '../../src/metrics/machines/pooled-rates.ts'
import type { OwnMachine } from '../../web/api/queries.ts'
import { incomeChart, priceHistoryChart, pricesBetween } from '../../web/desk/charts.ts'
import {
  bestOf,
  curveAround,
  judge,
  medianOf,
  type Offer,
  othersNow,
  othersOnAverage,
  outlookAt,
  ratesOf,
  safestOf,
} from '../../web/desk/outlook.ts'
import { verdictOn } from '../../web/desk/words.ts'
import { plain } from '../../web/format.ts'
import { sortedRows } from '../../web/machines/columns.ts'
import { machinesFound, rowsOf } from '../../web/machines/fleet.ts'

const price = Array.from({ length: 20 }, (_, n) => Number((0.1 + n * 0.05).toFixed(2)))
const depth = { price, available: price.map(() => 4), rented: price.map(() => 9), cheapest: null }
const flows = Array.from(
  { length: 10 },
  (_, position): ClassFlow => ({
    ...{ gpu_name: 'L4', num_gpus: 4, verified: true, hosting_type: 'community', position },
    // The dearer, the slower; nothing is known of the ninth tenth.
    ...{
      exposed_seconds: position === 8 ? 0 : 1000 * 3600,
      rented_gpus: position === 8 ? 0 : 120 - 11 * position,
    },
    ...{ held_seconds: 1000 * 3600, returned_gpus: 50, rented_variance: 50, returned_variance: 50 },
  }),
)
const fill = {
  ...{ from: 0, to: 3600, slots: 12 },
  ...sumPositions(flows.map((flow) => ({ ...flow, withdrawn_gpus: 0, lowest: null, highest: null }))),
}
const machine = {
  ...{
    id: 7,
    gpu_name: 'L4',
    num_gpus: 4,
    rented_gpus: 0,
    verified: true,
    hosting_type: 'community',
    price: 0.5,
  },
  figures: {
    price_history: { timestamps: [0], price: [0.5] },
    offered: { price: [0.5], available: [4] },
  },
} as OwnMachine
const offer: Offer = {
  gpus: 4,
  book: othersOnAverage(machine, depth),
  now: othersNow(machine, depth),
  fill,
  rates: ratesOf(undefined, fill),
}

const bestAround = (at: number, of: Offer) => bestOf(curveAround(at, of))

describe('the price desk', () => {
  it('expects at each price what the API does', () => {
    const others = price.map((at) => ({ price: at, gpus: at === 0.5 ? 0 : 4 }))
    const advice = adviseOn(
      { ...machine, price: 0.5 },
      { flows, name: rateName(flows, rateMarket(flows)), book: others },
    )
    const known = {
      ...offer,
      rates: ratesOf({ ...machine, figures: { ...machine.figures, ...advice } } as OwnMachine, fill),
    }
    const { price: at, income } = bestAround(0.5, known) ?? {}
    expect({ price: at, income }).toEqual({
      price: advice.best_price?.price,
      income: advice.best_price?.income,
    })
    expect(curveAround(0.5, known)).toEqual(advice.curve)
    const here = outlookAt(0.5, known)
    expect(here).toMatchObject({
      position: advice.position,
      income: advice.income,
      hours: advice.hours_to_rent,
    })
    expect(here).toMatchObject({
      cheaper: 32,
      others: 76,
      rentals: 120 - 11 * 4,
      exposure: 1000,
      reason: null,
    })
    expect(here.withinDay).toBeCloseTo(1 - Math.exp(-24 / (advice.hours_to_rent ?? 0)), 9)
  })

  it('says why where nothing is known', () => {
    const thin = outlookAt(0.95, offer)
    expect(thin).toMatchObject({ position: 8, income: null, reason: 'little_exposure' })
    expect(verdictOn(thin, bestAround(0.5, offer))).toMatch(
      /^GPUs like this were hardly offered .* earns most\.$/,
    )
    expect(outlookAt(1.06, offer)).toMatchObject({ position: 9, income: null, reason: 'few_as_dear' })
    const idleFill = { ...fill, return_rate: { value: null, low: null, high: null } }
    const idle = { ...offer, fill: idleFill, rates: ratesOf(undefined, idleFill) }
    expect(outlookAt(0.5, idle)).toMatchObject({ income: null, reason: 'no_returns' })
    expect(bestAround(0.5, idle)).toBeNull()
    expect(verdictOn(outlookAt(0.5, idle), null)).toMatch(/^No rental /)
  })

  it('judges a price by whether its interval reaches the best income', () => {
    const income = (value: number) => ({ value, low: value - 1, high: value + 1 })
    const best = { price: 2, income: income(10) }
    expect(judge(1.5, income(9.5), best)).toBe('good')
    expect(judge(1.5, income(5), best)).toBe('cheap')
    expect(judge(2.5, income(5), best)).toBe('dear')
    expect(judge(2.5, null, best)).toBe('unknown')
    expect(judge(null, income(5), best)).toBe('unknown')
    expect(judge(2.5, income(5), null)).toBe('unknown')
  })

  it('has the prices beside the best one that may earn as much, up to the first that does not', () => {
    const point = (at: number, value: number | null) => ({
      ...{ price: at, position: 0, occupancy: null },
      income: value === null ? null : { value, low: value - 1, high: value + 1 },
    })
    const band = (...points: [number, number | null][]) => {
      const best = bestOf(points.map(([at, value]) => point(at, value)))
      return best && [best.from, best.price, best.to]
    }
    expect(band([1, 9.5], [2, 5], [3, 9.2], [4, 10], [5, 9.1], [6, null], [7, 9.9])).toEqual([3, 4, 5])
    expect(safestOf([point(1, 9), point(2, null), point(3, 9.5)])).toBe(3)
    expect(safestOf([{ ...point(1, 9), income: { value: 9, low: 8.9, high: 9.1 } }, point(2, 9.5)])).toBe(1)
    expect(safestOf([point(1, null)])).toBeNull()
    expect(band([1, 10])).toEqual([1, 1, 1])
    expect(band([1, null])).toBeNull()
  })

  it('answers dearer but idle, or cheaper but full', () => {
    const best = bestAround(0.5, offer)
    const far = best && { ...best, from: 9, to: 9 }
    expect(verdictOn(outlookAt(best?.price ?? 0, offer), far)).toMatch(/^Its interval reaches/)
    const [cheap, dear] = [outlookAt(0.1, offer), outlookAt(1.04, offer)]
    expect(verdictOn(cheap, best)).toMatch(/^It would be rented \d+\.\d% of the time, for too little\. At \$/)
    expect(cheap.occupancy?.value).toBeGreaterThan(dear.occupancy?.value ?? 1)
  })

  it('draws income a day in its band, with a hole where nothing is known', () => {
    const places = pricesBetween(0.1, 1.05, [0.33])
    expect(places).toContain(0.33)
    const { series, places: drawn } = incomeChart('L4', incomeCurve(places, offer), [], { zone: 'utc' })
    expect(drawn).toEqual(places)
    const at = (wanted: number) => places.findIndex((place) => place >= wanted)
    const [low, value, high] = series.map(({ values }) => values)
    expect(value?.[at(0.95)]).toBeNull()
    const here = outlookAt(places[at(0.5)] ?? 0, offer).income
    expect([low, value, high].map((values) => values?.[at(0.5)])).toEqual(
      [here?.low, here?.value, here?.high].map((month) => (month ?? 0) / 30),
    )
    expect(incomeChart('L4', [], [], { zone: 'utc' }).places).toEqual([])
  })

  it('draws the price history up to now', () => {
    const spec = priceHistoryChart(7, { timestamps: [10, 20], price: [1, 2] }, 30, { zone: 'utc' })
    expect(spec.places).toEqual([10, 20, 30])
    expect(spec.series[0]?.values).toEqual([1, 2, 2])
    expect(priceHistoryChart(7, { timestamps: [], price: [] }, 30, { zone: 'utc' }).places).toEqual([])
  })

  it.each([
    [2.5, '2.5'],
    [0.000001, '0.000001'],
    [1_000_000, '1000000'],
    [0.1 + 0.2, '0.3'],
    [100, '100'],
  ])('writes the price %d for a field', (value, text) => {
    expect(plain(value)).toBe(text)
  })

  it('has the median of GPUs, not of prices', () => {
    expect(medianOf([1, 2, 3], [1, 1, 8])).toBe(3)
    expect(medianOf([1, 2], [1, 1])).toBe(1)
    expect(medianOf([1], [0])).toBeNull()
    expect(medianOf([], [])).toBeNull()
  })
})

const estimate = (value: number) => ({ value, low: value * 0.9, high: value * 1.1 })
const own = (of: Partial<OwnMachine>, figures: Partial<OwnFigures> = {}): OwnMachine => ({
  ...{
    id: 1,
    gpu_name: 'L4',
    num_gpus: 4,
    verified: true,
    hosting_type: 'community',
    online: true,
    price: 1,
  },
  ...{ rented_gpus: 2, rented_price: 1, avail_percentile: 0.5, rented_percentile: 0.5 },
  ...of,
  figures: {
    ...{
      occupancy_1d: 0.5,
      occupancy_7d: 0.5,
      occupancy_30d: 0.5,
      income_1d: 1,
      income_7d: 7,
      income_30d: 30,
    },
    ...{ idle_since: null, price_history: { timestamps: [], price: [] }, class: null, position: 5 },
    ...{ fill_rate: null, hours_to_rent: null, income: estimate(30), curve: [], reason: null },
    best_price: { price: 1, income: estimate(30), from: 1, to: 1 },
    comp_set: { mpi: 100, ari: 100, rgi: 100, reason: null },
    ...figures,
  },
})
const fleet = [
  own({ id: 1 }),
  own(
    { id: 2, rented_gpus: 0, price: 2 },
    {
      ...{ idle_since: 1000, occupancy_7d: 0, income_30d: 0, income: estimate(15) },
      comp_set: { mpi: 0, ari: null, rgi: 0, reason: null },
    },
  ),
  own(
    { id: 3, gpu_name: 'H100 SXM', num_gpus: 8, price: null, online: false },
    {
      ...{ income: null, best_price: null, reason: 'not_listed', occupancy_7d: null },
      comp_set: { mpi: null, ari: null, rgi: null, reason: 'few_hosts' },
    },
  ),
]

describe('the fleet', () => {
  it('has a row for each machine, or for each class with its sums', () => {
    expect(rowsOf(fleet, 'machines').map(({ key }) => key)).toEqual(['1', '2', '3'])
    const [l4, h100] = rowsOf(fleet, 'classes')
    expect(l4).toMatchObject({
      gpus: 8,
      rented: 2,
      prices: [1, 2],
      idle: 1,
      idleSince: 1000,
      rgi: 50,
      mispriced: 1,
    })
    expect(l4).toMatchObject({
      occupancy: [0.5, 0.25, 0.5],
      income: [2, 14, 30],
      gain: 0.5,
      judgement: 'unknown',
    })
    expect(h100).toMatchObject({ prices: [], rgi: null, noRgi: 'few_hosts', gain: null })
  })

  it('is filtered by what one looks for', () => {
    const found = (find: string, show: Parameters<typeof machinesFound>[1]['show'] = 'all') =>
      machinesFound(fleet, { find, show }).map(({ id }) => id)
    expect(found('h100')).toEqual([3])
    expect(found(' 2 ')).toEqual([2])
    expect(found('', 'idle')).toEqual([2])
    expect(found('', 'rented')).toEqual([1, 3])
    expect(found('', 'dear')).toEqual([2])
    expect(found('', 'cheap')).toEqual([])
    expect(found('', 'unlisted')).toEqual([3])
  })

  it('sorts by each column, what is not known last', () => {
    const by = (sort: string) => sortedRows(rowsOf(fleet, 'machines'), sort).map(({ key }) => key)
    expect(by('-income')).toEqual(['1', '3', '2'])
    expect(by('-gain')).toEqual(['2', '1', '3'])
    expect(by('price')).toEqual(['1', '2', '3'])
    expect(by('-rgi')).toEqual(['1', '2', '3'])
    expect(by('machine')).toEqual(['3', '1', '2'])
    // What is idle comes before what is rented, the longest first.
    expect(by('now')[0]).toBe('2')
    // The order of another page.
    expect(by('-gpus')).toEqual(['1', '2', '3'])
  })
})
