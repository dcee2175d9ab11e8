import { describe, expect, it } from 'vitest'
import type { OwnFigures } from '../../contract/machines.ts'
import { costFiguresOf, costsOf, marginOf } from '../../estimates/costs.ts'
import { incomeCurve, pricesFor } from '../../estimates/income-curve.ts'
import { waitingOf } from '../../estimates/pooled/wait.ts'
import { expectedOf } from '../../src/hosts/machines/advice.ts'
import type { ClassFlow } from '../../src/hosts/machines/compared.ts'
import { rateMarket } from '../../src/hosts/machines/market-rates.ts'
import { rateName } from '../../src/hosts/machines/pooled-rates.ts'
import { sumPositions } from '../../src/market/fill/sum-positions.ts'
import type { OwnMachine } from '../../web/api/queries.ts'
import { incomeChart, priceHistoryChart, pricesBetween } from '../../web/desk/charts.ts'
import {
  type DeskOffer,
  medianOf,
  othersNow,
  othersOnAverage,
  outlookAt,
  ratesOf,
} from '../../web/desk/outlook.ts'
import { daysCovered, troubles, verdicts } from '../../web/desk/words.ts'
import { plain } from '../../web/format.ts'
import { attentionOf } from '../../web/machines/attention.ts'
import { sortedRows } from '../../web/machines/columns.ts'
import { machinesFound, rowOf, rowsOf } from '../../web/machines/fleet.ts'
import { fleetCsv } from '../../web/machines/fleet-csv.ts'
import { reallyEarnedWords } from '../../web/machines/really-earned.ts'

const price = Array.from({ length: 20 }, (_, n) => Number((0.1 + n * 0.05).toFixed(2)))
const depth = {
  price,
  available: price.map(() => 4),
  rented: { price, gpus: price.map(() => 9), unpriced: 0, reason: null },
  cheapest: null,
}
const flows = Array.from(
  { length: 10 },
  (_, position): ClassFlow => ({
    gpu_name: 'L4',
    num_gpus: 4,
    verified: true,
    hosting_type: 'community',
    position,
    // Dearer positions are rented more slowly; the ninth tenth is unknown.
    exposed_seconds: position === 8 ? 0 : 1000 * 3600,
    rented_gpus: position === 8 ? 0 : 120 - 11 * position,
    held_seconds: 1000 * 3600,
    returned_gpus: 50,
    rented_variance: 50,
    exposed_gap: 0,
    kept_gap: 0,
    both_gap: 0,
    both_rented: 0,
    both_returned: 0,
    returned_variance: 50,
    exposed_rigs: position === 8 ? 0 : 4 * 1000 * 3600,
    held_rigs: 4 * 1000 * 3600,
  }),
)
const fill = {
  from: 0,
  to: 3600,
  slots: 12,
  ...sumPositions(
    flows.map(({ exposed_seconds, held_seconds, ...flow }) => ({
      ...flow,
      exposed_seconds,
      held_seconds,
      exposed_rigs: 4 * exposed_seconds,
      held_rigs: 4 * held_seconds,
      withdrawn_gpus: 0,
      lowest: null,
      highest: null,
    })),
  ),
}
const machine = {
  id: 7,
  gpu_name: 'L4',
  num_gpus: 4,
  rented_gpus: 0,
  verified: true,
  hosting_type: 'community',
  price: 0.5,
  figures: {
    price_history: { timestamps: [0], price: [0.5] },
    offered: { price: [0.5], available: [4] },
  },
} as OwnMachine
const offer: DeskOffer = {
  gpus: 4,
  book: othersOnAverage(machine, depth),
  now: othersNow(machine, depth),
  fill,
  rates: ratesOf(undefined, fill),
  costs: costsOf(undefined, undefined, machine),
  margin: null,
}

const curveAround = (at: number, of: DeskOffer) => incomeCurve(pricesFor(at, of.gpus, of.book), of)

describe('the price desk', () => {
  const entered = { kwh_price: 0.4, watts_idle: 50, watts_load: 450, fee_percent: 25 }
  const rest = { other_per_month: 30, purchase_price: null, months: null }
  it.each([
    ['without costs', undefined],
    ['after costs', { ...entered, ...rest }],
  ])('expects at each price what the API does, %s', (_, own) => {
    const others = price.map((at) => ({ price: at, gpus: at === 0.5 ? 0 : 4 }))
    const costs = costsOf(undefined, own, machine)
    const expected = expectedOf(
      { ...machine, price: 0.5, online: true },
      { flows, name: rateName(flows, rateMarket(flows)), book: others, costs, offered: [] },
    )
    const known = {
      ...offer,
      costs,
      margin: marginOf(costs, 4),
      rates: ratesOf({ ...machine, figures: { ...machine.figures, ...expected } } as OwnMachine, fill),
    }
    expect(expected.curve.map(({ net_per_day: _, ...point }) => point)).toEqual(curveAround(0.5, known))
    const here = outlookAt(0.5, known)
    expect(here).toMatchObject({
      position: expected.position,
      income: expected.income,
      hours: expected.hours_to_rent,
    })
    expect(here).toMatchObject({
      cheaper: 32,
      others: 76,
      rentals: 120 - 11 * 4,
      exposure: 1000,
      reason: null,
    })
    expect(here.withinDay).toBeCloseTo(1 - Math.exp(-24 / (expected.hours_to_rent ?? 0)), 9)
  })

  it('gives a reason where nothing is known', () => {
    const thin = outlookAt(0.95, offer)
    expect(thin).toMatchObject({ position: 8, income: null, reason: 'little_exposure' })
    expect(outlookAt(1.06, offer)).toMatchObject({ position: 9, income: null, reason: 'few_as_dear' })
    const idleFill = { ...fill, return_rate: { value: null, low: null, high: null } }
    const idle = { ...offer, fill: idleFill, rates: ratesOf(undefined, idleFill) }
    expect(outlookAt(0.5, idle)).toMatchObject({ income: null, reason: 'no_returns' })
  })

  it('answers dearer but idle, or cheaper but full', () => {
    const [cheap, dear] = [outlookAt(0.1, offer), outlookAt(1.04, offer)]
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

const nothing = { value: 0, low: 0, high: 0 }
const advised = {
  price: null,
  end_price: null,
  gain_per_day: null,
  reason: '.',
  basis: 'gross' as const,
  grade: 'class' as const,
  income_per_day: null,
  wait: null,
  trial: null,
  obstacle: null,
}
const unknownCosts = costFiguresOf({ price: 1, gpus: 4 }, null, {
  values: {
    kwh_price: null,
    watts_idle: 20,
    watts_load: 300,
    fee_percent: null,
    other_per_month: null,
    purchase_price: null,
    months: null,
  },
  assumed: ['watts_idle', 'watts_load'],
  unknown: ['kwh_price'],
})
const estimate = (value: number) => ({ value, low: value * 0.9, high: value * 1.1 })
const own = (of: Partial<OwnMachine>, figures: Partial<OwnFigures> = {}): OwnMachine => ({
  id: 1,
  gpu_name: 'L4',
  num_gpus: 4,
  verified: true,
  hosting_type: 'community',
  online: true,
  price: 1,
  rented_gpus: 2,
  rented_price: 1,
  avail_percentile: 0.5,
  rented_percentile: 0.5,
  ...of,
  figures: {
    occupancy_1d: 0.5,
    occupancy_7d: 0.5,
    occupancy_30d: 0.5,
    income_1d: 1,
    income_7d: 7,
    income_30d: 30,
    covered_seconds: { '1d': 86_400, '7d': 604_800, '30d': 1_814_400 },
    since_change: null,
    last_seen: 5000,
    gpus_at_once: 1,
    fill_factor: nothing,
    fill_rates: [],
    return_rate: null,
    idle_since: null,
    price_history: { timestamps: [], price: [] },
    class: null,
    position: 5,
    fill_rate: null,
    hours_to_rent: null,
    income: estimate(30),
    curve: [],
    reason: null,
    advice: { ...advised, verdict: 'keep', price: 1, end_price: 1, gain_per_day: nothing },
    net: null,
    costs: unknownCosts,
    comp_set: { mpi: 100, ari: 100, rgi: 100, reason: null },
    ...figures,
  },
})
const slot = 200_000
const look = { slot, basis: 'gross' as const }
const fleet = [
  own({ id: 1 }),
  own(
    { id: 2, rented_gpus: 0, price: 2 },
    {
      idle_since: 1000,
      occupancy_7d: 0,
      income_7d: 0,
      income_30d: 0,
      income: estimate(15),
      advice: {
        verdict: 'lower',
        price: 1.6,
        end_price: 1,
        basis: 'gross',
        reason: '.',
        gain_per_day: { value: 0.5, low: 0.1, high: 0.9 },
        grade: 'class',
        income_per_day: estimate(0.4),
        wait: { hours: 9, long_hours: 20, chances: [] },
        trial: null,
        obstacle: null,
      },
      comp_set: { mpi: 0, ari: null, rgi: 0, reason: null },
    },
  ),
  own(
    { id: 3, gpu_name: 'H100 SXM', num_gpus: 8, price: null, online: false },
    {
      income: null,
      reason: 'not_listed',
      occupancy_7d: null,
      advice: { ...advised, verdict: 'unknown' },
      comp_set: { mpi: null, ari: null, rgi: null, reason: 'few_hosts' },
    },
  ),
]

describe('the fleet', () => {
  it('has a row for each machine, or for each class with its sums', () => {
    expect(rowsOf(fleet, 'machines', look).map(({ key }) => key)).toEqual(['1', '2', '3'])
    const [l4, h100] = rowsOf(fleet, 'classes', look)
    expect(l4).toMatchObject({
      gpus: 8,
      rented: 2,
      prices: [1, 2],
      idle: 1,
      idleSince: 1000,
      rgi: 50,
      covered: 1_814_400,
    })
    expect(l4).toMatchObject({
      occupancy: [0.5, 0.25, 0.5],
      income: [2, 7, 30],
      cost: 0.5,
      verdict: 'unknown',
    })
    expect(h100).toMatchObject({ prices: [], rgi: null, noRgi: 'few_hosts', cost: (0.75 * 30) / 21 })
  })

  it('has the occupancy of its GPUs, however large its machines are', () => {
    const large = own({ id: 4, num_gpus: 12 }, { occupancy_1d: 0, occupancy_7d: 1, occupancy_30d: 0.1 })
    const { occupancy } = rowOf('all', [own({}), large], look)
    expect(occupancy.map((share) => share?.toFixed(3))).toEqual(['0.125', '0.875', '0.200'])
  })

  it('calls a price to raise too cheap, and one to lower too dear', () => {
    expect([verdicts.raise, troubles.cheap]).toEqual(['Underpriced', 'Underpriced'])
    expect([verdicts.lower, troubles.dear]).toEqual(['Overpriced', 'Overpriced'])
  })

  it('is filtered by what one looks for', () => {
    const found = (find: string, show: Parameters<typeof machinesFound>[1]['show'] = 'all') =>
      machinesFound(fleet, { find, show }, look).map(({ id }) => id)
    expect(found('h100')).toEqual([3])
    expect(found(' 2 ')).toEqual([2])
    expect(found('', 'idle')).toEqual([2])
    expect(found('', 'rented')).toEqual([1, 3])
    expect(found('', 'dear')).toEqual([2])
    expect(found('', 'cheap')).toEqual([])
    expect(found('', 'unlisted')).toEqual([3])
    expect(found('', 'offline')).toEqual([3])
    expect(found('', 'attention')).toEqual([2, 3])
  })

  it('sorts by each column, what is not known last', () => {
    const by = (sort: string) => sortedRows(rowsOf(fleet, 'machines', look), sort).map(({ key }) => key)
    expect(by('-income')).toEqual(['1', '3', '2'])
    expect(by('-cost')).toEqual(['3', '2', '1'])
    expect(by('price')).toEqual(['1', '2', '3'])
    expect(by('-rgi')).toEqual(['1', '2', '3'])
    expect(by('machine')).toEqual(['3', '1', '2'])
    // Idle machines come before rented ones, the longest first.
    expect(by('now')[0]).toBe('2')
    // The order of another page: what costs most comes first.
    expect(by('-gpus')).toEqual(['3', '2', '1'])
  })

  it('ranks losses: offline at past income, idle at expected income, a price at its gain', () => {
    const [good, idle, offline] = fleet.map((machine) => attentionOf(machine, look))
    expect(good).toBeNull()
    // The wait at its price is not known, so the price is the reason, not the idle time.
    expect(idle).toEqual({ trouble: 'dear', aDay: 0.5, since: null })
    // A quarter of the machine is still rented.
    expect(offline).toEqual({ trouble: 'offline', aDay: (0.75 * 30) / 21, since: 5000 })
    const [, second] = fleet
    const wait = { hours: 9, long_hours: 20 }
    const idleFor = (hours: number) => {
      const waiting = waitingOf(wait, { since: 1000, now: 1000 + Math.round(3600 * hours) })
      return second?.figures && attentionOf({ ...second, figures: { ...second.figures, waiting } }, look)
    }
    const { rare_hours } = waitingOf(wait, { since: 1000, now: 1000 })
    expect(idleFor(rare_hours - 0.1)).toEqual(idle)
    expect(idleFor(rare_hours + 0.1)).toEqual({ trouble: 'idle', aDay: 0.5, since: 1000 })
    expect(
      attentionOf(own({ online: false }, { covered_seconds: { '1d': 0, '7d': 0, '30d': 3600 } }), look),
    ).toMatchObject({
      aDay: null,
    })
  })

  it('has no percentage for a machine with less than a day of data', () => {
    const young = own({}, { covered_seconds: { '1d': 3600, '7d': 3600, '30d': 3600 } })
    expect(rowsOf([young], 'machines', look)[0]).toMatchObject({
      occupancy: [null, null, null],
      rgi: null,
      covered: 3600,
    })
    expect([3600, 86_400, 21 * 86_400].map(daysCovered)).toEqual(['1 h', '1 d', '21 d'])
  })

  it('adds what machines really earned where it is known, with the days it is of', () => {
    const told = (usd: number, days: number) =>
      own({
        marketplace: { earned: { usd: { '30d': usd }, days: { '30d': days } } } as OwnMachine['marketplace'],
      })
    const unread = own({ marketplace: { earned: null } as OwnMachine['marketplace'] })
    expect(rowOf('all', [own({}), unread], look).told).toBeNull()
    const { told: row } = rowOf('all', [told(10, 30), unread, told(2.5, 12)], look)
    expect(row).toEqual({ usd: 12.5, machines: 2, days: [12, 30] })
    expect(row && reallyEarnedWords(row)).toBe('$12.50 in 12 to 30 d')
  })

  it('is a file with the advice of the API for each machine', () => {
    const [first, second] = fleet
    const usd = { '1d': 0, '7d': 2, '30d': 12.5 }
    const earned = { usd, days: { '1d': 1, '7d': 7, '30d': 21 }, until: slot, read_at: slot }
    const keyed = { ...second, marketplace: { earned } } as OwnMachine
    const [head, plain, dear] = fleetCsv([first as OwnMachine, keyed], { value: 3, low: 1, high: 5 }).split(
      '\r\n',
    )
    expect(head).toBe(
      'id,gpu_name,num_gpus,own_price,verdict,recommended_price,end_price,gain_per_day,gain_low,gain_high,gain_basis,why,net_per_day,net_low,net_high,floor,minimum_bid,break_even_price,break_even_occupancy,payback_days,costs_assumed,costs_unknown,earned_30d,earned_days,grade,income_per_day,trial_days,trial_cost,wait_hours,fleet_gain_per_day,fleet_gain_low,fleet_gain_high',
    )
    // Values that a marketplace has not reported are not 0.
    expect(plain).toMatch(/,,,class,,,,,3,1,5$/)
    expect(dear).toBe(
      '2,L4,4,2,lower,1.6,1,0.5,0.1,0.9,gross,.,,,,,,,,,watts_idle watts_load,kwh_price,12.5,21,class,0.4,,,9,3,1,5',
    )
  })
})
