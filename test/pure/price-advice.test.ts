import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adviceWords } from '../../estimates/advice-words.ts'
import { certain, type Estimate } from '../../estimates/fill-rate.ts'
import { incomeCurve, type Offer, pricesFor, type Rates, worthOf } from '../../estimates/income-curve.ts'
import { gainOf } from '../../estimates/income-gain.ts'
import { type Decision, decide, largestStep, startingPrice } from '../../estimates/price-advice.ts'

const spread = (value: number, below: number, above: number): Estimate => ({
  value,
  low: value * Math.exp(-below),
  high: value * Math.exp(above),
})

/** An interval, wider by a factor. */
const widened = ({ value, low, high }: Estimate, by: number): Estimate =>
  spread(value, by * Math.log(value / low), by * Math.log(high / value))

const width = fc.double({ min: 0.01, max: 1, noNaN: true })
const estimates = (least: number, most: number) =>
  fc
    .tuple(fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }), width, width)
    .map(([value, below, above]) => spread(Math.exp(value), below, above))

const ratesOf = fc
  .record({
    rates: fc.array(fc.option(estimates(0.005, 0.5), { freq: 12 }), { minLength: 10, maxLength: 10 }),
    fill_factor: fc.tuple(width, width).map(([below, above]) => spread(1, below, above)),
    return_rate: estimates(0.01, 0.2),
  })
  .map(({ rates, fill_factor, return_rate }): Rates => {
    // The interval of a rate holds the interval of the factor.
    const fill_rates = rates.map(
      (rate) =>
        rate &&
        spread(
          rate.value,
          Math.hypot(Math.log(rate.value / rate.low), -Math.log(fill_factor.low)),
          Math.hypot(Math.log(rate.high / rate.value), Math.log(fill_factor.high)),
        ),
    )
    return { fill_rates, fill_factor, return_rate }
  })

const offers = fc
  .record({
    prices: fc.uniqueArray(fc.integer({ min: 10, max: 500 }), { minLength: 5, maxLength: 40 }),
    gpus: fc.integer({ min: 1, max: 8 }),
    rates: ratesOf,
  })
  .map(
    ({ prices, gpus, rates }): Offer => ({
      book: prices.toSorted((a, b) => a - b).map((price) => ({ price: price / 100, gpus: 1 + (price % 7) })),
      gpus,
      rates,
    }),
  )
const owns = fc.integer({ min: 8, max: 550 }).map((price) => price / 100)
const changes = ({ verdict }: Decision) => verdict === 'raise' || verdict === 'lower'

/** The same offer with every interval wider. */
const lessKnown = (offer: Offer, by: number): Offer => ({
  ...offer,
  rates: {
    fill_rates: offer.rates.fill_rates.map((rate) => rate && widened(rate, by)),
    fill_factor: widened(offer.rates.fill_factor, by),
    return_rate: offer.rates.return_rate && widened(offer.rates.return_rate, by),
  },
})

it('the advice equals the example of docs/numbers.md', () => {
  const rate = { value: 0.05, low: 0.04, high: 0.06 }
  const rates = {
    fill_rates: Array.from({ length: 10 }, () => rate),
    fill_factor: certain,
    return_rate: rate,
  }
  const book = Array.from({ length: 10 }, (_, index) => ({ price: (40 + 2 * index) / 100, gpus: 4 }))
  const told = adviceWords(decide(0.44, { book, gpus: 4, rates }), null)
  expect(readFileSync('docs/numbers.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(told)
})

const runs = { numRuns: 2000, seed: 20_261_122 }

describe('the advice on a price', () => {
  it('never improves with wider intervals: a price to change becomes unknown, not kept', () => {
    let [changed, lost] = [0, 0]
    fc.assert(
      fc.property(owns, offers, fc.double({ min: 1, max: 8, noNaN: true }), (own, offer, by) => {
        const [known, less] = [decide(own, offer), decide(own, lessKnown(offer, by))]
        if (known.verdict === 'keep') expect(['keep', 'unknown']).toContain(less.verdict)
        if (known.verdict === 'unknown') expect(less.verdict).not.toBe('keep')
        if (!changes(known)) return
        changed += 1
        if (less.verdict === 'unknown') lost += 1
        else expect(changes(less)).toBe(true)
      }),
      runs,
    )
    expect(Math.min(lost, changed - lost)).toBeGreaterThan(20)
  })

  it('changes a price only for a gain that is above zero at its lower end, by a fifth at most', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(owns, offers, (own, offer) => {
        const { verdict, price, end_price, gain_per_day, obstacle } = decide(own, offer)
        seen.add(verdict)
        expect(obstacle === null).toBe(verdict !== 'unknown')
        if (verdict === 'unknown') expect([price, end_price, gain_per_day]).toEqual([null, null, null])
        if (verdict === 'keep') expect([price, end_price]).toEqual([own, own])
        if (verdict === 'unknown' || verdict === 'keep') return
        expect(gain_per_day?.low).toBeGreaterThan(0)
        expect(Math.abs((price ?? 0) / own - 1)).toBeLessThanOrEqual(largestStep + 1e-9)
        const up = verdict === 'raise'
        expect([(price ?? 0) > own, (end_price ?? 0) > own]).toEqual([up, up])
        const [here, there, end] = incomeCurve([own, price ?? 0, end_price ?? 0], offer)
        expect([there?.extrapolated, end?.extrapolated]).toEqual([false, false])
        expect(there?.income?.low).toBeGreaterThanOrEqual(here?.income?.low ?? Number.NaN)
        expect(end?.income?.low).toBeGreaterThanOrEqual(there?.income?.low ?? Number.NaN)
      }),
      runs,
    )
    expect([...seen].sort()).toEqual(['keep', 'lower', 'raise', 'unknown'])
  })

  it('keeps a price only if no observed one earns noticeably more, and none may earn half more', () => {
    let compared = 0
    fc.assert(
      fc.property(owns, offers, fc.double({ min: 1, max: 8, noNaN: true }), (own, known, by) => {
        const offer = lessKnown(known, by)
        if (decide(own, offer).verdict !== 'keep') return
        const [here] = incomeCurve([own], offer)
        const income = (here?.income?.value ?? 0) / 30
        for (const { price, income: there, extrapolated } of incomeCurve(
          pricesFor(own, offer.gpus, offer.book),
          offer,
        )) {
          if (!there || extrapolated) continue
          const gain = gainOf({ from: own, to: price }, offer)
          expect(gain?.value).toBeLessThanOrEqual(0.05 * income)
          expect(gain?.high).toBeLessThanOrEqual(0.5 * income)
          compared += 1
        }
      }),
      runs,
    )
    expect(compared).toBeGreaterThan(20)
  })

  it('begins with the well observed price whose income is highest at its lower end', () => {
    let known = 0
    fc.assert(
      fc.property(owns, offers, (usual, offer) => {
        const price = startingPrice(usual, offer)
        const observed = incomeCurve(pricesFor(usual, offer.gpus, offer.book), offer).filter(
          ({ extrapolated, income }) => income && !extrapolated,
        )
        const lows = observed.map(({ income }) => income?.low ?? 0)
        const [chosen] = observed.filter((one) => one.price === price)
        expect(chosen?.income?.low).toBe(lows.length > 0 ? Math.max(...lows) : undefined)
        if (price !== null) known += 1
      }),
      runs,
    )
    expect(known).toBeGreaterThan(20)
  })

  it('is the same for prices in any currency', () => {
    fc.assert(
      fc.property(owns, offers, (own, offer) => {
        const doubled = { ...offer, book: offer.book.map(({ price, gpus }) => ({ price: 2 * price, gpus })) }
        const [one, other] = [decide(own, offer), decide(2 * own, doubled)]
        expect(other.verdict).toBe(one.verdict)
        if (one.gain_per_day) expect(other.gain_per_day?.low).toBeCloseTo(2 * one.gain_per_day.low, 6)
      }),
      runs,
    )
  })
})

describe('the advice after costs', () => {
  const margins = fc
    .tuple(fc.integer({ min: 5, max: 100 }), fc.integer({ min: 0, max: 2000 }))
    .map(([share, mills]) => {
      const [kept, power] = [share / 100, mills / 1000]
      const floor = Math.ceil(1e6 * (power / kept)) / 1e6
      return { kept, power, floor, minimum_bid: Math.ceil(Math.round(1e6 * floor) / 1e4) / 100 }
    })

  it('goes to no price below the floor, and away from one that is', () => {
    let [below, above] = [0, 0]
    fc.assert(
      fc.property(owns, offers, margins, (own, market, margin) => {
        const offer = { ...market, margin }
        const { verdict, price, end_price, basis, gain_per_day } = decide(own, offer)
        expect(basis).toBe('net')
        expect(Math.min(price ?? own, end_price ?? own)).toBeGreaterThanOrEqual(
          verdict === 'unknown' ? 0 : margin.floor,
        )
        expect(startingPrice(own, offer) ?? margin.floor).toBeGreaterThanOrEqual(margin.floor)
        if (own < margin.floor) {
          below += 1
          expect([verdict, price]).toEqual(['raise', margin.minimum_bid])
          if (gain_per_day) expect(gain_per_day.low).toBeGreaterThanOrEqual(0)
        } else if (changes({ verdict } as Decision)) above += 1
      }),
      runs,
    )
    expect(Math.min(below, above)).toBeGreaterThan(20)
  })

  it('gains the difference of both net incomes, with the same lower end at least', () => {
    let changed = 0
    fc.assert(
      fc.property(owns, offers, margins, (own, market, margin) => {
        const offer = { ...market, margin }
        const { price, gain_per_day: gain, below_floor } = decide(own, offer)
        if (!gain || price === null || price === own || below_floor) return
        const [here, there] = [own, price].map((at) => {
          const [point] = incomeCurve([at], offer)
          const ofShare = (share = 0) => 24 * offer.gpus * share * worthOf(at, offer)
          return { value: ofShare(point?.occupancy?.value), low: ofShare(point?.occupancy?.low) }
        })
        expect(gain.value).toBeCloseTo((there?.value ?? 0) - (here?.value ?? 0), 6)
        expect(there?.low).toBeGreaterThanOrEqual((here?.low ?? 0) - 1e-9)
        changed += 1
      }),
      runs,
    )
    expect(changed).toBeGreaterThan(20)
  })

  it('is the same with a fee alone, at what it leaves of the gain', () => {
    fc.assert(
      fc.property(owns, offers, (own, offer) => {
        const margin = { kept: 0.5, power: 0, floor: 0, minimum_bid: 0 }
        const [gross, net] = [decide(own, offer), decide(own, { ...offer, margin })]
        expect([net.verdict, net.price]).toEqual([gross.verdict, gross.price])
        if (gross.gain_per_day) expect(net.gain_per_day?.low).toBeCloseTo(gross.gain_per_day.low / 2, 6)
      }),
      runs,
    )
  })
})

describe('the gain of a price over another', () => {
  it('has an interval that holds its value, is none against itself, and turns around', () => {
    fc.assert(
      fc.property(owns, owns, offers, (from, to, offer) => {
        const [gain, loss, same] = [
          gainOf({ from, to }, offer),
          gainOf({ from: to, to: from }, offer),
          gainOf({ from, to: from }, offer),
        ]
        if (!gain || !loss) return
        expect(gain.low).toBeLessThanOrEqual(gain.value)
        expect(gain.high).toBeGreaterThanOrEqual(gain.value)
        expect(loss.value).toBeCloseTo(-gain.value, 9)
        expect(loss.low).toBeCloseTo(-gain.high, 9)
        expect(same).toEqual({ value: 0, low: 0, high: 0 })
      }),
      runs,
    )
  })

  it('lies in its interval at both ends of the return rate, where all else is known', () => {
    const known = (rate: Estimate | null) => rate && spread(rate.value, 0, 0)
    fc.assert(
      fc.property(owns, owns, offers, (from, to, offer) => {
        const rates = { fill_rates: offer.rates.fill_rates.map(known), fill_factor: certain }
        const gainWith = (return_rate: Estimate | null) =>
          gainOf({ from, to }, { ...offer, rates: { ...rates, return_rate } })
        const { return_rate: back } = offer.rates
        const gain = gainWith(back)
        if (!gain || !back) return
        for (const end of [back.low, back.high]) {
          const value = gainWith(spread(end, 0, 0))?.value
          expect(value).toBeGreaterThanOrEqual(gain.low - 1e-9)
          expect(value).toBeLessThanOrEqual(gain.high + 1e-9)
        }
      }),
      runs,
    )
  })

  it('is wider with wider intervals', () => {
    fc.assert(
      fc.property(owns, owns, offers, fc.double({ min: 1, max: 8, noNaN: true }), (from, to, offer, by) => {
        const [gain, less] = [gainOf({ from, to }, offer), gainOf({ from, to }, lessKnown(offer, by))]
        if (!gain || !less) return
        expect(less.value).toBeCloseTo(gain.value, 9)
        expect(less.low).toBeLessThanOrEqual(gain.low + 1e-9)
        expect(less.high).toBeGreaterThanOrEqual(gain.high - 1e-9)
      }),
      runs,
    )
  })
})
