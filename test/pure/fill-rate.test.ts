import { describe, expect, it } from 'vitest'
import {
  certain,
  chanceWithin,
  type Estimate,
  fillRateOf,
  hoursToRent,
  occupancyOf,
  positionOf,
  rateOf,
  thinReason,
} from '../../estimates/fill-rate.ts'
import { fillRateAt, highestKnown, incomeAt, incomeCurve, pricesFor } from '../../estimates/income-curve.ts'
import { exponential, seeded } from '../../simulate/random.ts'

const random = seeded(20_261_122)

/** The number of events at a rate in some hours: a Poisson number, counted one by one. */
function drawEvents(rate: number, hours: number): number {
  let events = -1
  for (let at = 0; at <= hours; at += exponential(random, 1 / rate)) events += 1
  return events
}

const digits = (found: Estimate | null, count: number) =>
  found && [found.value, found.low, found.high].map((number) => Number(number.toFixed(count)))

const near = (value: number) => expect.closeTo(value, 9)

describe('the rate of renting', () => {
  it('has the interval of Byar', () => {
    // The exact intervals of 10 and 100 events are 4.795 to 18.390 and 81.364 to 121.627.
    expect(digits(rateOf({ events: 10, hours: 1 }), 2)).toEqual([10, 4.79, 18.39])
    expect(digits(rateOf({ events: 100, hours: 50 }), 3)).toEqual([2, 1.627, 2.433])
    expect(rateOf({ events: 0, hours: 100 })).toMatchObject({ value: 0, low: 0 })
    expect(rateOf({ events: 0, hours: 0 })).toBeNull()
  })

  it('is in its 95 % interval in 93 to 97 % of 1,000 cells', () => {
    let inside = 0
    for (let cell = 0; cell < 1000; cell += 1) {
      const rate = 0.005 * 40 ** random()
      const hours = (8 / rate) * 20 ** random()
      const found = rateOf({ events: drawEvents(rate, hours), hours })
      if (found && found.low <= rate && rate <= found.high) inside += 1
    }
    console.log(`fill rates: ${inside / 10} % of the 95 % intervals hold the true rate`)
    expect(inside).toBeGreaterThanOrEqual(930)
    expect(inside).toBeLessThanOrEqual(970)
  })

  it('is unknown with fewer than 5 rentals or 24 GPU-hours', () => {
    expect(thinReason({ events: 5, hours: 24 })).toBeNull()
    expect(thinReason({ events: 4, hours: 24 })).toBe('few_rentals')
    expect(thinReason({ events: 50, hours: 23.9 })).toBe('little_exposure')
    expect(fillRateOf({ events: 4, hours: 24 })).toBeNull()
  })

  it('gives the time until a rental', () => {
    const fill = { value: 0.1, low: 0.05, high: 0.2 }
    expect(hoursToRent(fill)).toBe(10)
    expect(chanceWithin(fill, 10)).toBeCloseTo(1 - Math.exp(-1), 12)
  })
})

describe('the occupancy to expect', () => {
  it('is in its 95 % interval in 93 to 97 % of 1,000 cells', () => {
    let inside = 0
    for (let cell = 0; cell < 1000; cell += 1) {
      const [fill, back] = [0.01 * 20 ** random(), 0.01 * 20 ** random()]
      const counted = (rate: number) => {
        const hours = (8 / rate) * 20 ** random()
        return rateOf({ events: drawEvents(rate, hours), hours })
      }
      const [filled, returned] = [counted(fill), counted(back)]
      const found = filled && returned && occupancyOf(filled, returned)
      const truth = fill / (fill + back)
      if (found && found.low <= truth && truth <= found.high) inside += 1
    }
    console.log(`occupancy: ${inside / 10} % of the 95 % intervals hold the true share`)
    expect(inside).toBeGreaterThanOrEqual(930)
    expect(inside).toBeLessThanOrEqual(970)
  })

  it('is known at its ends', () => {
    const none = { value: 0, low: 0, high: 0.125 }
    const some = { value: 0.25, low: 0.125, high: 0.5 }
    expect(occupancyOf(none, none)).toBeNull()
    expect(occupancyOf(none, some)).toEqual({ value: 0, low: 0, high: 0.5 })
    expect(occupancyOf(some, none)).toEqual({ value: 1, low: 0.5, high: 1 })
  })
})

describe('income', () => {
  const fill = (value: number): Estimate => ({ value, low: value * 0.8, high: value * 1.25 })
  const back = { value: 0.1, low: 0.09, high: 0.11 }
  const ratesOf = (rateAt: (position: number) => number | null) => ({
    fill_rates: Array.from({ length: 10 }, (_, position) => {
      const rate = rateAt(position)
      return rate === null ? null : fill(rate)
    }),
    fill_factor: certain,
    return_rate: back,
  })
  const even = ratesOf(() => 0.1)
  const book = Array.from({ length: 20 }, (_, i) => ({ price: (i + 1) / 10, gpus: 1 }))

  it('is price x GPUs x 720 hours x occupancy', () => {
    expect(incomeAt(0.5, 2, { value: 0.25, low: 0.2, high: 0.3 })).toEqual({
      value: 180,
      low: 144,
      high: 216,
    })
  })

  it('has a price count as cheaper only below it, and the own GPUs among all', () => {
    const offer = { book, gpus: 5, rates: even }
    const curve = incomeCurve([0.1, 0.35, 1, 9], offer)
    expect(curve.map(({ position }) => position)).toEqual([0, 1, 3, 8])
    expect([0, 0.3, 0.99, 1].map(positionOf)).toEqual([0, 3, 9, 9])
    expect(curve[2]?.income?.value).toBeCloseTo(1 * 5 * 720 * 0.5, 9)
  })

  it('uses a rate that is linear between the middles of positions', () => {
    const rates = ratesOf((position) => (position === 5 ? null : 10 - position))
    const at = (share: number) => fillRateAt(share, rates)?.value
    expect([0, 0.05, 0.1, 0.15, 0.175].map(at)).toEqual([10, 10, 9.5, 9, 8.75].map(near))
    // Prices next to an unknown position, and in it.
    expect([0.44, 0.46, 0.5, 0.59, 0.61].map(at)).toEqual([near(6.1), 6, undefined, undefined, 4])
    expect([0.95, 1].map(at)).toEqual([1, 1])
    expect(fillRateAt(0.1, rates)).toEqual({ value: near(9.5), low: near(9.5 * 0.8), high: near(9.5 * 1.25) })
    const offer = { book, gpus: 1, rates: { ...rates, return_rate: null } }
    expect(incomeCurve([0.5], offer)[0]).toMatchObject({ fill_rate: null, income: null })
  })

  it('ends where fewer than a twentieth of the GPUs on offer cost as much', () => {
    const known = (gpus: number, prices: number[]) =>
      incomeCurve(prices, { book, gpus, rates: even }).map(({ income }) => income !== null)
    // A twentieth of 20 prices is one price; of 21 prices it is two, so the second dearest is the first that counts.
    expect(highestKnown(book, 0)).toBe(2)
    expect(known(1, [1.8, 1.9, 1.91, 2, 2.1, 100])).toEqual([true, true, false, false, false, false])
    expect(highestKnown(book, 25)).toBe(1.8)
    expect(highestKnown(book.slice(0, 3), 1)).toBe(0.3)
    expect(highestKnown([], 1)).toBe(0)
    const dreamer = [...book, { price: 50, gpus: 1 }]
    const curve = incomeCurve(pricesFor(50, 1, dreamer), { book: dreamer, gpus: 1, rates: even })
    expect(curve.findLast(({ income }) => income)?.price).toBe(2)
  })

  it('is extrapolated below all prices, in the dearest tenth, and above the last known position', () => {
    const outside = (rates: typeof even) =>
      incomeCurve([0.09, 0.1, 1.6, 1.7, 1.9, 2], { book, gpus: 0, rates }).map((point) => point.extrapolated)
    expect(outside(even)).toEqual([true, false, false, false, false, true])
    expect(outside(ratesOf((at) => (at > 7 ? null : 0.1)))).toEqual([true, false, false, true, true, true])
  })
})
