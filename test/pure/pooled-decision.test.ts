import fc from 'fast-check'
import { mean } from 'simple-statistics'
import { describe, expect, it } from 'vitest'
import {
  certainty,
  type Decision,
  decide,
  estimateOf,
  largestStep,
  type Prospect,
  type Prospects,
  startingPrice,
} from '../../estimates/pooled/decide.ts'

const draws = 60

/** A market that all prices share, and noise of each price. */
const prospects = fc
  .record({
    own: fc.double({ min: 0.2, max: 3, noNaN: true }),
    level: fc.double({ min: 1, max: 20, noNaN: true }),
    spread: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
    slope: fc.double({ min: -3, max: 3, noNaN: true }),
    shared: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: draws, maxLength: draws }),
    alone: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: draws, maxLength: draws }),
    unknown: fc.nat({ max: 8 }),
  })
  .map(({ own, level, spread, slope, shared, alone, unknown }): Prospects => {
    const at = (share: number, isKnown: boolean): Prospect => ({
      price: own * share,
      isKnown,
      income: Float64Array.from(
        shared,
        (draw, index) =>
          level * Math.exp(0.3 * draw + Math.log(share) * (slope + spread * 5 * (alone[index] ?? 0))),
      ),
    })
    const shares = [0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.15, 1.2]
    return {
      own: at(1, true),
      others: shares.map((share, index) => at(share, index !== unknown)),
      further: () => [0.5, 0.7, 1.5, 2].map((share) => at(share, true)),
      margin: null,
    }
  })

/** Draws with the same means and larger differences from them. */
function lessKnown({ own, others, further, margin }: Prospects, by: number): Prospects {
  const widened = (one: Prospect): Prospect => {
    const middle = mean([...one.income])
    return { ...one, income: one.income.map((income) => middle + by * (income - middle)) }
  }
  return {
    own: widened(own),
    others: others.map(widened),
    further: () => further().map(widened),
    margin,
  }
}

const runs = { numRuns: 1000, seed: 20_261_127 }
const changes = ({ verdict }: Decision) => verdict === 'raise' || verdict === 'lower'

describe('the decision on a price', () => {
  it('never becomes surer with wider intervals', () => {
    let [changed, lost] = [0, 0]
    fc.assert(
      fc.property(prospects, fc.double({ min: 1, max: 8, noNaN: true }), (known, by) => {
        const [one, less] = [decide(known), decide(lessKnown(known, by))]
        if (one.verdict === 'keep') expect(changes(less)).toBe(false)
        if (one.verdict === 'unknown' || one.verdict === 'try') {
          expect(less.verdict).not.toBe('keep')
          expect(changes(less)).toBe(false)
        }
        if (!changes(one)) return
        changed += 1
        if (!changes(less)) lost += 1
        expect(less.verdict).not.toBe('keep')
      }),
      runs,
    )
    expect(Math.min(lost, changed - lost)).toBeGreaterThan(20)
  })

  it('never becomes surer where the form is not known, and has a wider interval of the same gain', () => {
    let lost = 0
    fc.assert(
      fc.property(prospects, (known) => {
        const [sure, doubted] = [decide(known), decide(known, 1.25)]
        if (changes(doubted)) expect(doubted.verdict).toBe(sure.verdict)
        if (!changes(sure)) expect(doubted.verdict).toBe(sure.verdict)
        if (changes(sure) && !changes(doubted)) lost += 1
        const [gain, wider] = [sure.gain_per_day, doubted.gain_per_day]
        if (!gain || !wider || doubted.price !== sure.price) return
        expect(wider.value).toBe(gain.value)
        expect(wider.high - wider.low).toBeCloseTo(1.25 * (gain.high - gain.low), 9)
      }),
      runs,
    )
    expect(lost).toBeGreaterThan(0)
  })

  it('changes a price by a fifth at most, and never to a lower end of its income', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(prospects, (known) => {
        const { verdict, price, end_price, gain_per_day, chance, obstacle } = decide(known)
        const { own, others } = known
        seen.add(verdict)
        expect(obstacle === null).toBe(verdict !== 'unknown')
        if (verdict === 'unknown') expect([price, end_price, gain_per_day]).toEqual([null, null, null])
        if (verdict === 'keep') expect([price, end_price]).toEqual([own.price, own.price])
        if (price === null || price === own.price) return
        expect(Math.abs(price / own.price - 1)).toBeLessThanOrEqual(largestStep + 1e-9)
        const there = others.find((one) => one.price === price)
        expect(there?.isKnown).toBe(true)
        if (!there) return
        const better = there.income.filter((income, draw) => income > (own.income[draw] ?? 0))
        expect(chance).toBe(better.length / draws)
        if (!changes({ verdict } as Decision)) return
        expect(chance).toBeGreaterThanOrEqual(certainty - 1 / draws)
        expect(estimateOf(there.income).low).toBeGreaterThanOrEqual(estimateOf(own.income).low)
        expect(verdict).toBe(price > own.price ? 'raise' : 'lower')
        expect((end_price ?? 0) > own.price).toBe(price > own.price)
        expect(gain_per_day?.value).toBeCloseTo(
          estimateOf(there.income).value - estimateOf(own.income).value,
          9,
        )
      }),
      runs,
    )
    expect([...seen].sort()).toEqual(['keep', 'lower', 'raise', 'try'])
  })

  it('keeps a price only if no known one has a chance of one in four to earn a tenth more', () => {
    let compared = 0
    fc.assert(
      fc.property(prospects, (known) => {
        if (decide(known).verdict !== 'keep') return
        const least = 0.1 * mean([...known.own.income])
        for (const { price, income, isKnown } of known.others) {
          if (!isKnown || Math.abs(price / known.own.price - 1) > largestStep + 1e-9) continue
          const better = income.filter((one, draw) => one - (known.own.income[draw] ?? 0) > least)
          expect(better.length).toBeLessThanOrEqual(draws / 4 + 1)
          compared += 1
        }
      }),
      runs,
    )
    expect(compared).toBeGreaterThan(20)
  })

  it('recommends no price below the floor, and leaves one that is below it', () => {
    const margins = fc.double({ min: 0.1, max: 4, noNaN: true })
    fc.assert(
      fc.property(prospects, margins, (known, floor) => {
        const margin = { kept: 0.8, power: 0.1, floor, minimum_bid: floor + 0.01 }
        const { verdict, price, below_floor, basis } = decide({ ...known, margin })
        expect(basis).toBe('net')
        expect(below_floor).toBe(known.own.price < floor)
        if (below_floor) expect([verdict, price]).toEqual(['raise', margin.minimum_bid])
        else if (price !== null) expect(price).toBeGreaterThanOrEqual(floor)
        const start = startingPrice({ others: known.others, margin })
        if (start) expect(start.price).toBeGreaterThanOrEqual(floor)
      }),
      runs,
    )
  })

  it('is unknown where no other price is known', () => {
    fc.assert(
      fc.property(prospects, (known) => {
        const others = known.others.map((one) => ({ ...one, isKnown: false }))
        expect(decide({ ...known, others })).toMatchObject({ verdict: 'unknown', obstacle: 'no_others' })
      }),
      { numRuns: 50 },
    )
  })
})
