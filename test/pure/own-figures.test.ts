import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costsOf } from '../../estimates/costs.ts'
import { type Estimate, occupancyOf } from '../../estimates/fill-rate.ts'
import { fillRateAt } from '../../estimates/income-curve.ts'
import { normal } from '../../estimates/normal.ts'
import { exponential, type Random, seeded } from '../../simulate/random.ts'
import { expectedOf, type MarketData } from '../../src/hosts/machines/advice.ts'
import { compareWithSet, type HostInClass } from '../../src/hosts/machines/comp-set.ts'
import { type ClassFlow, likeOthers, pulledRatio, ratio } from '../../src/hosts/machines/compared.ts'
import { rateMarket } from '../../src/hosts/machines/market-rates.ts'
import { rateName, ratesOf } from '../../src/hosts/machines/pooled-rates.ts'

const own = { all_gpus: 100, rented_gpus: 50, value: 30 }
const host = (id: number, machines: number, all_gpus: number, rented_gpus = all_gpus * 0.4): HostInClass => ({
  gpu_name: 'L4',
  gpu_memory: 24,
  num_gpus: 4,
  verified: true,
  hosting_type: 'community',
  host: id,
  machines,
  all_gpus,
  rented_gpus,
  value: rented_gpus * 0.5,
})

describe('the comp set', () => {
  it('compares occupancy, price and revenue', () => {
    // Own occupancy 0.5 at 0.60, the set's 0.4 at 0.50: the example of docs/numbers.md.
    const set = [host(2, 2, 100), host(3, 1, 100), host(4, 1, 100)]
    expect(compareWithSet(own, set)).toEqual({ mpi: 125, ari: 120, rgi: 150, reason: null })
    expect(compareWithSet({ ...own, rented_gpus: 0, value: 0 }, set)).toEqual({
      mpi: 0,
      ari: null,
      rgi: 0,
      reason: null,
    })
  })

  it.each([
    ['few_machines', [host(2, 1, 100), host(3, 1, 100), host(4, 1, 100)]],
    ['few_hosts', [host(2, 2, 100), host(3, 2, 100)]],
    ['dominant_host', [host(2, 2, 201), host(3, 1, 100), host(4, 1, 100)]],
    ['not_rented', [host(2, 2, 100, 0), host(3, 1, 100, 0), host(4, 1, 100, 0)]],
  ])('is hidden with %s', (reason, set) => {
    expect(compareWithSet(own, set)).toEqual({ mpi: null, ari: null, rgi: null, reason })
  })

  it('is hidden for a machine without a past', () => {
    expect(compareWithSet({ all_gpus: 0, rented_gpus: 0, value: 0 }, [])).toMatchObject({
      reason: 'not_seen',
    })
  })
})

describe('advice', () => {
  const machine = {
    gpu_name: 'L4',
    gpu_memory: 24,
    num_gpus: 4,
    verified: true,
    hosting_type: 'community',
    price: 0.5,
    online: true,
  }
  const book = Array.from({ length: 20 }, (_, n) => ({ price: 0.1 + n * 0.05, gpus: 4 }))
  const flow = (of: Partial<ClassFlow>): ClassFlow => ({
    ...machine,
    position: 3,
    exposed_seconds: 1000 * 3600,
    rented_gpus: 50,
    held_seconds: 1000 * 3600,
    returned_gpus: 50,
    rented_variance: 50,
    returned_variance: 50,
    ...of,
  })
  const everywhere = (of: Partial<ClassFlow> = {}) =>
    Array.from({ length: 10 }, (_, position) => flow({ position, ...of }))

  // The market has this GPU name only.
  const seenAs = (flows: ClassFlow[], costs = costsOf(undefined, undefined, machine)) => ({
    flows,
    name: rateName(flows, rateMarket(flows)),
    book,
    costs,
    offered: [] as MarketData['offered'],
  })

  it('looks out halfway between where the price stands and where it stood', () => {
    const rising = Array.from({ length: 10 }, (_, position) =>
      flow({ position, rented_gpus: 100 - 10 * position, rented_variance: 100 - 10 * position }),
    )
    const known = {
      ...seenAs(rising),
      offered: [
        { price: 0.9, gpus: 3 },
        { price: 0.7, gpus: 1 },
      ],
    }
    const { outlook, fill_rates, return_rate, income } = expectedOf(machine, known)
    // 32 of 84 GPUs are cheaper than 0.50, 64 than 0.90, and 48 than 0.70.
    const share = (32 / 84 + (3 * 64 + 48) / 4 / 84) / 2
    const fill = fillRateAt(share, { fill_rates })?.value ?? Number.NaN
    const back = return_rate?.value ?? Number.NaN
    expect(outlook?.value).toBeCloseTo((0.5 * 4 * 720 * fill) / (fill + back), 9)
    expect(outlook?.value).toBeLessThan(income?.value ?? 0)
    expect(expectedOf(machine, seenAs(rising)).outlook).toEqual(income)
  })

  it('is income at the price of the machine', () => {
    const { income, position, reason, hours_to_rent, class: of } = expectedOf(machine, seenAs(everywhere()))
    expect([position, reason, hours_to_rent]).toEqual([3, null, 20])
    // With equal rates of rental and return, the occupancy is a half.
    expect(income?.value).toBeCloseTo(0.5 * 4 * 720 * 0.5, 9)
    expect(of).toEqual({
      verified: true,
      hosting_type: 'community',
      num_gpus: 4,
      gpu_memory: 24,
      widened: false,
    })
  })

  it.each([
    [{ num_gpus: 8 }, { verified: true, hosting_type: 'community', num_gpus: null, widened: true }],
    [{ hosting_type: 'secure_cloud' }, { verified: true, hosting_type: null, num_gpus: null, widened: true }],
    [{ verified: false }, { verified: null, hosting_type: null, num_gpus: null, widened: true }],
  ])('widens its class when it is thin: only %j was seen', (seen, widened) => {
    expect(expectedOf(machine, seenAs(everywhere(seen)))).toMatchObject({
      class: { ...widened, gpu_memory: 24 },
      reason: null,
    })
  })

  it('is income after costs where power and fee are known', () => {
    const entered = {
      kwh_price: 0.5,
      watts_idle: 100,
      watts_load: 1100,
      fee_percent: 20,
      other_per_month: null,
      purchase_price: 1000,
      months: null,
    }
    const known = costsOf(entered, undefined, machine)
    const { net, costs, income } = expectedOf(machine, seenAs(everywhere(), known))
    // 1 kW at 0.50 for 4 GPUs, of which a renter's dollar pays 0.80.
    expect(costs).toMatchObject({ floor: 0.15625, minimum_bid: 0.16, unknown: ['other_per_month', 'months'] })
    // Rented half of the time: 24 × 0.8 of the income of an hour, less 100 W always and 1 kW half of the time.
    expect(net?.value).toBeCloseTo(24 * 0.8 - 24 * 0.5 * 0.6, 9)
    expect(costs.keep_on).toEqual({ verdict: 'yes', per_day: net })
    expect(costs.payback_days?.value).toBe(Math.ceil(1000 / 12))
    expect(costs.break_even_price).toBeCloseTo((24 * 0.5 * 0.6) / (24 * 4 * 0.5 * 0.8), 8)
    expect(income?.value).toBeCloseTo(0.5 * 4 * 720 * 0.5, 9)
    // Without the fee the floor is not known, and the fee is not taken for 0.
    const noFee = costsOf({ ...entered, fee_percent: null }, undefined, machine)
    expect(expectedOf(machine, seenAs(everywhere(), noFee))).toMatchObject({
      costs: { floor: null, minimum_bid: null, keep_on: null },
      net: { value: expect.closeTo(24 - 24 * 0.5 * 0.6, 9) },
    })
    const offline = expectedOf({ ...machine, online: false }, seenAs([], known))
    expect(offline).toMatchObject({ net: null, costs: { minimum_bid: 0.16, payback_days: null } })
    expect(expectedOf(machine, seenAs(everywhere()))).toMatchObject({
      net: null,
      costs: { assumed: ['watts_idle', 'watts_load'], break_even_price: null, break_even_occupancy: null },
    })
  })

  it('gives the reason why there is none', () => {
    expect(expectedOf(machine, seenAs([]))).toMatchObject({
      income: null,
      reason: 'little_exposure',
    })
    expect(expectedOf(machine, seenAs(everywhere({ rented_gpus: 4 })))).toMatchObject({
      income: null,
      reason: 'few_rentals',
    })
    expect(expectedOf(machine, seenAs(everywhere({ held_seconds: 0, returned_gpus: 0 })))).toMatchObject({
      income: null,
      reason: 'no_returns',
    })
    const dearest = expectedOf({ ...machine, price: 100 }, seenAs(everywhere()))
    expect(dearest).toMatchObject({ income: null, position: 9, reason: 'few_as_dear' })
    const unlisted = expectedOf({ ...machine, price: null }, seenAs(everywhere()))
    expect(unlisted.reason).toBe('not_listed')
    expect(expectedOf({ ...machine, online: false }, seenAs(everywhere())).reason).toBe('not_on_market')
  })
})

it('the example of docs/numbers.md is what the rates of an own machine are made of', () => {
  const text = readFileSync('docs/numbers.md', 'utf8').replace(/\s+/g, ' ')
  const example = /For example, the market rents (.*?) hours on average\./.exec(
    text.slice(text.indexOf('### What to expect of an own machine')),
  )
  const numbers = (example?.[1] ?? '').match(/\d+(\.\d+)?/g)?.map(Number) ?? []
  const [
    rate = 0,
    position = 0,
    factor = 0,
    rentals = 0,
    expected = 0,
    level,
    dispersion = 0,
    seen = 0,
    usual = 0,
  ] = numbers
  const [place, events = 0, variance = 0, likely = 0] = [numbers[13], ...numbers.slice(14)]
  const [share, found, hours] = [numbers.at(-8), numbers.at(-2), numbers.at(-1)]

  const sure = (value: number) => ({ value, low: value, high: value })
  const rented = ratio({ events: rentals, expected, variance: 0 }, dispersion)
  const placed = pulledRatio({ events: seen, expected: usual, variance: 0 }, dispersion)
  expect([rented?.value, placed.value]).toEqual([level, place])
  const rates = Array.from({ length: 10 }, () => rate)
  const like = { num_gpus: 8, gpu_memory: 24, verified: true, hosting_type: 'community' }
  const flow = {
    ...like,
    gpu_name: 'L4',
    position,
    rented_gpus: events,
    rented_variance: variance,
    // The hours in which its GPU name has as many expected rentals as in the example.
    exposed_seconds: (3600 * likely) / (rate * (level ?? 0) * (place ?? 0) * factor),
    held_seconds: 0,
    returned_gpus: 0,
    returned_variance: 0,
  }
  const { fill_rates, gpus_at_once } = ratesOf(like, [flow], {
    market: { rates, factorsOf: () => ({ rented: sure(factor), returned: sure(1) }) },
    level: rented,
    places: rates.map(() => placed),
    rates: rates.map((one) => one * (level ?? 0) * (place ?? 0)),
    returns: null,
    dispersion,
    returnedDispersion: 1,
  })
  const value = fill_rates[position]?.value ?? 0
  expect(gpus_at_once).toBe(2.5)
  expect(value).toBeCloseTo(found ?? 0, 4)
  expect(value / (rate * factor * (level ?? 0) * (place ?? 0))).toBeCloseTo(share ?? 0, 3)
  expect(1 / value).toBeCloseTo(hours ?? 0, 1)
})

const usualReturns = 0.04
const marketRates = Array.from({ length: 10 }, (_, position) => 0.1 * Math.exp(-0.25 * position))
/** The speed of rentals and returns of three classes in the whole market. */
const classFactors = [
  { rented: 0.5, returned: 1.5 },
  { rented: 1, returned: 1 },
  { rented: 2, returned: 0.7 },
]
const classOf = (index: number) => ({
  num_gpus: index,
  gpu_memory: 0,
  verified: true,
  hosting_type: 'community',
})

/** GPU-hours enough to make chance negligible. The slower a class is rented, the dearer it is offered. */
const marketFlows = classFactors.flatMap(({ rented, returned }, index) =>
  marketRates.map((rate, position) => {
    const [exposed, held] = [1e6 * (1 + position * (2 - index)), 1e6]
    return {
      ...classOf(index),
      gpu_name: '',
      position,
      exposed_seconds: 3600 * exposed,
      held_seconds: 3600 * held,
      rented_gpus: exposed * rate * rented,
      returned_gpus: held * usualReturns * returned,
      rented_variance: exposed * rate * rented,
      returned_variance: held * usualReturns * returned,
    }
  }),
)

/** Seven days of a GPU name that differs from the market, in classes that differ from theirs, all of whose rigs are rented and returned whole. */
function drawName(random: Random, rig: number) {
  const differs = (by: number) => Math.exp(by * normal(random))
  const [level, level_back] = [differs(0.4), usualReturns * differs(0.4)]
  const places = marketRates.map((rate) => rate * level * differs(0.25))
  const classes = classFactors.map(({ rented, returned }, index) => {
    const [share, back] = [rented * differs(0.25), level_back * returned * differs(0.25)]
    const machines = 1 + Math.floor(10 * random() ** 2)
    const rows = places.map((rate, position) => {
      const hours = Array.from({ length: 168 }, () => ({
        exposed: rig * machines * random() * 0.2,
        held: rig * machines * random() * 0.2,
      }))
      const count = (of: number, at: number) => rig * drawEvents(random, (of * at) / rig)
      const counts = hours.map(({ exposed, held }) => ({
        exposed,
        held,
        rented: count(rate * share, exposed),
        returned: count(back, held),
      }))
      return { ...classOf(index), position, ...summed(counts) }
    })
    return { of: classOf(index), rows, rates: places.map((rate) => rate * share), back }
  })
  return classes
}

/** A Poisson number. */
function drawEvents(random: Random, mean: number): number {
  let events = 0
  for (let at = exponential(random, 1); at < mean; at += exponential(random, 1)) events += 1
  return events
}

/** Sums hours as machines/class_flows does. */
function summed(hours: readonly { exposed: number; held: number; rented: number; returned: number }[]) {
  const sum = (what: (hour: (typeof hours)[number]) => number) =>
    hours.reduce((all, hour) => all + what(hour), 0)
  const [exposed, held] = [sum((hour) => hour.exposed), sum((hour) => hour.held)]
  const [rented, returned] = [sum((hour) => hour.rented), sum((hour) => hour.returned)]
  return {
    gpu_name: 'L4',
    exposed_seconds: 3600 * exposed,
    rented_gpus: rented,
    held_seconds: 3600 * held,
    returned_gpus: returned,
    rented_variance: sum((hour) => (hour.rented - (rented / exposed) * hour.exposed) ** 2),
    returned_variance: sum((hour) => (hour.returned - (returned / held) * hour.held) ** 2),
  }
}

const holds = ({ low, high }: Estimate, truth: number) => low <= truth && truth <= high

it('the rates of the market are split into rates of positions and factors of classes', () => {
  const { rates, factorsOf } = rateMarket(marketFlows)
  for (const { num_gpus: index, position, rented_gpus, exposed_seconds } of marketFlows) {
    const { rented, returned } = factorsOf(classOf(index))
    const truth = (3600 * rented_gpus) / exposed_seconds
    expect((rates[position] ?? 0) * rented.value).toBeCloseTo(truth, 4)
    expect(returned.low).toBeLessThan(returned.value)
  }
  const [slow, usual] = [factorsOf(classOf(0)), factorsOf(classOf(1))]
  expect(usual.rented.value / slow.rented.value).toBeCloseTo(2, 3)
  expect(slow.returned.value / usual.returned.value).toBeCloseTo(1.5, 3)
  expect(factorsOf(classOf(9))).toEqual(likeOthers())
})

describe('the rates of a class, in relation to its GPU name and to the market', () => {
  it.each([1, 2, 8])(
    'are in their intervals in 93 to 97 of 100 cells, with rigs of %i rented whole',
    (rig) => {
      const random = seeded(20_261_122 + rig)
      const market = rateMarket(marketFlows)
      let [cells, fills, occupancies] = [0, 0, 0]
      while (cells < 1000) {
        const classes = drawName(random, rig)
        const named = classes.flatMap(({ rows }) => rows)
        const name = rateName(named, market)
        for (const { of, rows, rates: truth, back } of classes) {
          const position = Math.floor(10 * random())
          const { fill_rates, return_rate } = ratesOf(of, rows, name)
          const found = fill_rates[position]
          const occupancy = found && return_rate && occupancyOf(found, return_rate)
          if (!occupancy) continue
          const rate = truth[position] ?? 0
          cells += 1
          if (holds(found, rate)) fills += 1
          if (holds(occupancy, rate / (rate + back))) occupancies += 1
        }
      }
      const [inRate, inShare] = [fills, occupancies].map((inside) => (100 * inside) / cells)
      console.log(`rigs of ${rig}: ${inRate} % of the intervals hold the rate, ${inShare} % the occupancy`)
      for (const percent of [inRate, inShare]) {
        expect(percent).toBeGreaterThanOrEqual(93)
        expect(percent).toBeLessThanOrEqual(97)
      }
    },
  )
})
