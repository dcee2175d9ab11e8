import { describe, expect, it } from 'vitest'
import { type Estimate, occupancyOf } from '../../contract/fill-rate.ts'
import { exponential, normal, type Random, seeded } from '../../simulate/random.ts'
import { adviseOn } from '../../src/metrics/machines/advice.ts'
import { compareWithSet, type HostInClass } from '../../src/metrics/machines/comp-set.ts'
import { type ClassFlow, likeOthers } from '../../src/metrics/machines/compared.ts'
import { rateMarket } from '../../src/metrics/machines/market-rates.ts'
import { rateName, ratesOf } from '../../src/metrics/machines/pooled-rates.ts'

const own = { all_gpus: 100, rented_gpus: 50, value: 30 }
const host = (id: number, machines: number, all_gpus: number, rented_gpus = all_gpus * 0.4): HostInClass => ({
  ...{ gpu_name: 'L4', num_gpus: 4, verified: true, hosting_type: 'community', host: id },
  ...{ machines, all_gpus, rented_gpus, value: rented_gpus * 0.5 },
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
  ])('is not told with %s', (reason, set) => {
    expect(compareWithSet(own, set)).toEqual({ mpi: null, ari: null, rgi: null, reason })
  })

  it('is not told of a machine that was not seen', () => {
    expect(compareWithSet({ all_gpus: 0, rented_gpus: 0, value: 0 }, [])).toMatchObject({
      reason: 'not_seen',
    })
  })
})

describe('advice', () => {
  const machine = { gpu_name: 'L4', num_gpus: 4, verified: true, hosting_type: 'community', price: 0.5 }
  const book = Array.from({ length: 20 }, (_, n) => ({ price: 0.1 + n * 0.05, gpus: 4 }))
  const flow = (of: Partial<ClassFlow>): ClassFlow => ({
    ...{ ...machine, position: 3, exposed_seconds: 1000 * 3600, rented_gpus: 50 },
    ...{ held_seconds: 1000 * 3600, returned_gpus: 50, rented_variance: 50, returned_variance: 50 },
    ...of,
  })
  const everywhere = (of: Partial<ClassFlow> = {}) =>
    Array.from({ length: 10 }, (_, position) => flow({ position, ...of }))

  // The market has this GPU name only.
  const seenAs = (flows: ClassFlow[]) => ({ flows, name: rateName(flows, rateMarket(flows)), book })

  it('is income at the price of the machine, and the best of the curve', () => {
    const {
      income,
      curve,
      best_price,
      position,
      reason,
      hours_to_rent,
      class: of,
    } = adviseOn(machine, seenAs(everywhere()))
    expect([position, reason, hours_to_rent]).toEqual([3, null, 20])
    // Rented and returned at the same rate: half of the time.
    expect(income?.value).toBeCloseTo(0.5 * 4 * 720 * 0.5, 9)
    expect(best_price?.price).toBe(Math.max(...curve.map(({ price }) => price)))
    expect(of).toEqual({ verified: true, hosting_type: 'community', num_gpus: 4, widened: false })
  })

  it.each([
    [{ num_gpus: 8 }, { verified: true, hosting_type: 'community', num_gpus: null, widened: true }],
    [{ hosting_type: 'secure_cloud' }, { verified: true, hosting_type: null, num_gpus: null, widened: true }],
    [{ verified: false }, { verified: null, hosting_type: null, num_gpus: null, widened: true }],
  ])('widens its class when it is thin: only %j was seen', (seen, widened) => {
    expect(adviseOn(machine, seenAs(everywhere(seen)))).toMatchObject({ class: widened, reason: null })
  })

  it('says why there is none', () => {
    expect(adviseOn(machine, seenAs([]))).toMatchObject({
      income: null,
      best_price: null,
      reason: 'little_exposure',
    })
    expect(adviseOn(machine, seenAs(everywhere({ rented_gpus: 4 })))).toMatchObject({
      income: null,
      reason: 'few_rentals',
    })
    expect(adviseOn(machine, seenAs(everywhere({ held_seconds: 0, returned_gpus: 0 })))).toMatchObject({
      income: null,
      reason: 'no_returns',
    })
    const dearest = adviseOn({ ...machine, price: 100 }, seenAs(everywhere()))
    expect(dearest).toMatchObject({ income: null, position: 9, reason: 'few_as_dear' })
    expect(dearest.best_price?.price).toBeLessThan(100)
  })
})

const usualReturns = 0.04
const marketRates = Array.from({ length: 10 }, (_, position) => 0.1 * Math.exp(-0.25 * position))
/** How much sooner machines of three classes are rented, and come back, in the whole market. */
const classFactors = [
  { rented: 0.5, returned: 1.5 },
  { rented: 1, returned: 1 },
  { rented: 2, returned: 0.7 },
]
const classOf = (index: number) => ({ num_gpus: index, verified: true, hosting_type: 'community' })

/** So many GPU-hours that chance is nothing. The slower a class is rented, the dearer it is offered. */
const marketFlows = classFactors.flatMap(({ rented, returned }, index) =>
  marketRates.map((rate, position) => {
    const [exposed, held] = [1e6 * (1 + position * (2 - index)), 1e6]
    return {
      ...{
        ...classOf(index),
        gpu_name: '',
        position,
        exposed_seconds: 3600 * exposed,
        held_seconds: 3600 * held,
      },
      ...{ rented_gpus: exposed * rate * rented, returned_gpus: held * usualReturns * returned },
      ...{ rented_variance: exposed * rate * rented, returned_variance: held * usualReturns * returned },
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
        ...{ exposed, held, rented: count(rate * share, exposed), returned: count(back, held) },
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

/** As machines/class_flows.sql sums hours. */
function summed(hours: readonly { exposed: number; held: number; rented: number; returned: number }[]) {
  const sum = (what: (hour: (typeof hours)[number]) => number) =>
    hours.reduce((all, hour) => all + what(hour), 0)
  const [exposed, held] = [sum((hour) => hour.exposed), sum((hour) => hour.held)]
  const [rented, returned] = [sum((hour) => hour.rented), sum((hour) => hour.returned)]
  return {
    gpu_name: 'L4',
    ...{
      exposed_seconds: 3600 * exposed,
      rented_gpus: rented,
      held_seconds: 3600 * held,
      returned_gpus: returned,
    },
    rented_variance: sum((hour) => (hour.rented - (rented / exposed) * hour.exposed) ** 2),
    returned_variance: sum((hour) => (hour.returned - (returned / held) * hour.held) ** 2),
  }
}

const holds = ({ low, high }: Estimate, truth: number) => low <= truth && truth <= high

it('the rates of the market are split into those of positions and of classes', () => {
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
