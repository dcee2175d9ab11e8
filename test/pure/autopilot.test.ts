import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decidePrice, floorOf } from '../../estimates/autopilot.ts'
import type { AutopilotMoment, AutopilotTarget } from '../../estimates/autopilot-moment.ts'
import { priceAtShare } from '../../estimates/autopilot-target.ts'

const hour = 3600
const now = 1_800_000_000
const usual: AutopilotMoment = {
  target: { kind: 'recommended', own_results: null },
  rails: {
    floor: 0.5,
    ceiling: null,
    largest_step: 0.1,
    hours_between: 6,
    changes_a_day: 4,
    quiet: null,
    idle: null,
  },
  now,
  slot: now - 60,
  slot_before: now - 360,
  interval: 300,
  price: 2,
  online: true,
  idle_since: null,
  left: null,
  changes: [],
  cost_floor: null,
  recommended: 2.1,
  own_results: null,
  name_market: { machines: 9, hosts: 7, dearest: 2.5 },
  market: {
    asks: [1.5, 1.8, 2, 2.2, 2.5].map((price) => ({ price, gpus: 2 })),
    machines: 5,
    hosts: 3,
  },
}
type Changes = Partial<Omit<AutopilotMoment, 'rails'>> & { rails?: Partial<AutopilotMoment['rails']> }
const at = ({ rails, ...changes }: Changes = {}) =>
  decidePrice({ ...usual, ...changes, rails: { ...usual.rails, ...rails } })
const priceOf = (changes: Changes) => {
  const decision = at(changes)
  return decision.kind === 'change' ? decision.price : decision
}

describe('the price', () => {
  it('rises to the dearest one of other hosts at most by a recommendation', () => {
    const name_market = { machines: 9, hosts: 7, dearest: 2.05 }
    expect(at({ name_market })).toEqual({
      kind: 'change',
      price: 2.05,
      reason:
        'The recommended price is $2.1. No other host asks more than $2.05, and how renters choose above all others is not known. From $2 to $2.05.',
    })
    expect(at({ name_market: { ...name_market, dearest: 1.5 } }).kind).toBe('none')
    expect(priceOf({ name_market: { ...name_market, dearest: 1.5 }, recommended: 1.9 })).toBe(1.9)
  })

  it('is the recommended one, a percentile, or the median', () => {
    expect(at()).toEqual({
      kind: 'change',
      price: 2.1,
      reason: 'The recommended price is $2.1. From $2 to $2.1.',
    })
    const rails = { largest_step: 0.5 }
    expect(priceOf({ rails, target: { kind: 'percentile', percentile: 20 } })).toBe(1.5)
    expect(priceOf({ rails, target: { kind: 'percentile', percentile: 21 } })).toBe(1.8)
    expect(priceOf({ rails, target: { kind: 'median', offset_percent: 10 } })).toBe(2.2)
    expect(at({ target: { kind: 'median', offset_percent: 0 } }).kind).toBe('none')
  })

  it('goes one step, up to the ceiling, and never below the floor, which wins over both', () => {
    expect(priceOf({ recommended: 9 })).toBe(2.2)
    expect(priceOf({ recommended: 1 })).toBe(1.8)
    expect(priceOf({ recommended: 9, rails: { ceiling: 2.15 } })).toBe(2.15)
    expect(priceOf({ recommended: 1, rails: { floor: 1.95 } })).toBe(1.95)
    // A price below the floor of the costs is raised by at most one step.
    expect(priceOf({ recommended: 1, cost_floor: 2.2 })).toBe(2.2)
    expect(priceOf({ recommended: 1, cost_floor: 1.95, rails: { floor: 1.9 } })).toBe(1.95)
  })

  it('returns to the price before a change at once, to the digit, and never below the floor', () => {
    const undo = (price: number) => ({ target: { kind: 'undo' as const, price } })
    expect(priceOf(undo(1.234567))).toBe(1.234567)
    expect(priceOf(undo(5.5))).toBe(5.5)
    expect(priceOf({ ...undo(0.7), cost_floor: 1.1 })).toBe(1.1)
    expect(priceOf({ ...undo(5), cost_floor: 5.2 })).toBe(5.2)
  })

  it('needs few others where it is recommended, and none where a person chose it', () => {
    const alone = {
      market: { ...usual.market, machines: 0, hosts: 0 },
      name_market: { machines: 1, hosts: 1, dearest: 2.05 },
    }
    expect(priceOf({ ...alone, recommended: 1.9 })).toBe(1.9)
    expect(priceOf({ ...alone, recommended: 2.2 })).toBe(2.05)
    expect(
      at({ ...alone, name_market: { machines: 0, hosts: 0, dearest: null }, recommended: 2.2 }).kind,
    ).toBe('none')
    expect(priceOf({ ...alone, target: { kind: 'price', price: 2.1 } })).toBe(2.1)
    expect(priceOf({ ...alone, target: { kind: 'undo', price: 1.5 } })).toBe(1.5)
  })

  it('falls once the machine has been idle for long', () => {
    const rails = { idle: { hours: 12, drop_percent: 10 } }
    expect(priceOf({ rails, idle_since: now - 12 * hour + 1 })).toBe(2.1)
    expect(priceOf({ rails, idle_since: now - 12 * hour })).toBe(1.89)
  })

  describe('goes by own results where none is recommended', () => {
    const target = { kind: 'recommended', own_results: { raise_above: 60, lower_below: 30 } } as const
    const withResults = (occupancy: number, hours = 48, more: Changes = {}) =>
      at({ target, recommended: null, own_results: { occupancy, hours }, ...more })

    it('goes a step up, a step down, or stays', () => {
      expect(withResults(0.71)).toEqual({
        kind: 'change',
        price: 2.2,
        reason:
          'No price is recommended. Since its price of $2 was first seen, it was rented 71 % of 48 h: more than 60 %, so one step up. From $2 to $2.2.',
      })
      expect(withResults(0.29)).toMatchObject({
        price: 1.8,
        reason: expect.stringMatching(/29 % of 48 h: less than 30 %/),
      })
      for (const between of [0.3, 0.45, 0.6]) expect(withResults(between).kind).toBe('none')
    })

    it('inside the rails, and not of a thin market', () => {
      expect(withResults(0.9, 48, { rails: { ceiling: 2.1 } })).toMatchObject({ price: 2.1 })
      expect(withResults(0, 48, { cost_floor: 1.9 })).toMatchObject({ price: 1.9 })
      expect(withResults(0, 48, { name_market: { machines: 4, hosts: 4, dearest: 2.5 } })).toMatchObject({
        refusal: 'thin',
      })
      // A long idle time is part of its results already.
      const idle = { hours: 12, drop_percent: 50 }
      expect(withResults(0, 48, { rails: { idle }, idle_since: now - 48 * hour })).toMatchObject({
        price: 1.8,
      })
    })

    it('only of a day at this price, and only where the rule lets them count', () => {
      expect(withResults(0.9, 23.9)).toMatchObject({
        refusal: 'no_target',
        reason: expect.stringMatching(/after 24 h at its price, at which it was seen for 23 h\.$/),
      })
      expect(at({ target, recommended: null })).toMatchObject({
        reason: expect.stringMatching(/seen not at all\.$/),
      })
      expect(withResults(0.9, 48, { target: { ...target, own_results: null } })).toMatchObject({
        refusal: 'no_target',
      })
      expect(withResults(0.9, 48, { recommended: 1.9 })).toMatchObject({ price: 1.9 })
    })

    it('against a recommendation, where the machine hardly rents for two days', () => {
      expect(withResults(0.14, 48, { recommended: 2.1 })).toMatchObject({
        kind: 'change',
        price: 1.8,
        reason: expect.stringMatching(/14 % of 48 h, whatever is recommended: less than 15 %/),
      })
      expect(withResults(0.16, 48, { recommended: 2.1 })).toMatchObject({ price: 2.1 })
      expect(withResults(0.14, 47, { recommended: 2.1 })).toMatchObject({ price: 2.1 })
      // A recommendation that is lower counts.
      expect(withResults(0.14, 48, { recommended: 1.7 })).toMatchObject({
        price: 1.8,
        reason: expect.stringMatching(/^The recommended price is \$1\.7\./),
      })
    })
  })

  it('is the nearest rank at a share, weighted by GPUs', () => {
    const asks = [
      { price: 1, gpus: 1 },
      { price: 2, gpus: 3 },
    ]
    expect([0.01, 0.25, 0.26, 1].map((share) => priceAtShare(asks, share))).toEqual([1, 1, 2, 2])
    expect(priceAtShare([], 0.5)).toBe(null)
  })
})

describe('nothing is changed', () => {
  it.each<[string, Changes]>([
    ['not_listed', { price: null }],
    ['not_listed', { online: false }],
    ['stale', { slot: now - 601, slot_before: now - 901 }],
    ['clock', { slot: now + 301, slot_before: now + 1 }],
    ['gap', { slot_before: null }],
    ['gap', { slot_before: now - 660 }],
    ['no_floor', { rails: { floor: null } }],
    ['floor_above_ceiling', { rails: { ceiling: 0.4 } }],
    ['floor_above_ceiling', { rails: { ceiling: 2.5 }, cost_floor: 2.6 }],
    ['floor_beyond_step', { cost_floor: 2.21 }],
    ['floor_beyond_step', { rails: { floor: 2.21 }, target: { kind: 'price', price: 9 } }],
    // A typo: 3 USD for a kWh instead of 0.30.
    ['floor_beyond_step', { price: 0.0629, cost_floor: 18 }],
    ['floor_beyond_step', { cost_floor: 18, target: { kind: 'undo', price: 2.5 } }],
    ['thin', { recommended: null, name_market: { machines: 4, hosts: 4, dearest: 2.5 } }],
    ['thin', { recommended: null, name_market: { machines: 9, hosts: 2, dearest: 2.5 } }],
    ['thin', { market: { ...usual.market, machines: 4 }, target: { kind: 'percentile', percentile: 40 } }],
    ['thin', { market: { ...usual.market, hosts: 2 }, target: { kind: 'median', offset_percent: 0 } }],
    ['no_target', { recommended: null }],
    ['running_rental', { recommended: 2.2, rental: { until: null } }],
    ['running_rental', { rails: { floor: 2.1 }, price: 2, recommended: 1.5, rental: { until: now + hour } }],
    [
      'quiet',
      {
        rails: { quiet: { from: 0, to: 23 } },
        now: now - (now % 86_400),
        slot: now - (now % 86_400),
        slot_before: now - (now % 86_400) - 300,
      },
    ],
    ['too_soon', { changes: [now - 6 * hour + 1] }],
    ['too_soon', { changes: [now + 5000], rails: { hours_between: 1 } }],
    ['too_many', { changes: [7, 12, 18, 23.9].map((hours) => now - hours * hour) }],
    ['not_seen_yet', { left: { price: 1.9, at: now - 30 } }],
    ['changed_elsewhere', { left: { price: 1.9, at: now - 90 } }],
  ])('%s: %j', (refusal, changes) => {
    expect(at(changes)).toMatchObject({
      kind: 'refusal',
      refusal,
      stops: refusal === 'changed_elsewhere',
      reason: expect.stringMatching(/\.$/),
    })
  })
})

const price = fc.double({ min: 0.01, max: 20, noNaN: true }).map((value) => Number(value.toFixed(4)))
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 3 })
const often = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 10 })
const target: fc.Arbitrary<AutopilotTarget> = fc.oneof(
  fc.record({
    kind: fc.constant('recommended' as const),
    own_results: fc.option(
      fc.record({
        raise_above: fc.integer({ min: 40, max: 100 }),
        lower_below: fc.integer({ min: 0, max: 40 }),
      }),
    ),
  }),
  fc.record({ kind: fc.constant('percentile' as const), percentile: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ kind: fc.constant('median' as const), offset_percent: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ kind: fc.constant('price' as const), price }),
)
const moment: fc.Arbitrary<AutopilotMoment> = fc
  .record({
    target,
    rails: fc.record({
      floor: often(price),
      ceiling: maybe(price),
      largest_step: fc.double({ min: 0.005, max: 0.5, noNaN: true }),
      hours_between: fc.integer({ min: 0, max: 48 }),
      changes_a_day: fc.integer({ min: 1, max: 24 }),
      quiet: maybe(fc.record({ from: fc.integer({ min: 0, max: 23 }), to: fc.integer({ min: 0, max: 23 }) })),
      idle: maybe(
        fc.record({ hours: fc.integer({ min: 1, max: 72 }), drop_percent: fc.integer({ min: 1, max: 50 }) }),
      ),
    }),
    age: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 600 }) },
      { weight: 1, arbitrary: fc.integer({ min: -400, max: 900 }) },
    ),
    before: often(fc.integer({ min: 250, max: 500 })),
    price: often(price),
    online: fc.constantFrom(true, true, true, true, false),
    idle: maybe(fc.integer({ min: 0, max: 300_000 })),
    left: fc.option(fc.record({ price, at: fc.integer({ min: now - 9000, max: now }) }), { freq: 1 }),
    isLeft: fc.boolean(),
    changes: fc.array(fc.integer({ min: now - 200_000, max: now + 100 }), { maxLength: 3 }),
    cost_floor: maybe(price),
    recommended: often(price),
    asks: fc.array(fc.record({ price, gpus: fc.integer({ min: 1, max: 8 }) }), {
      minLength: 3,
      maxLength: 12,
    }),
    hosts: fc.integer({ min: 2, max: 12 }),
    own_results: fc.option(
      fc.record({
        occupancy: fc.double({ min: 0, max: 1, noNaN: true }),
        hours: fc.integer({ min: 0, max: 99 }),
      }),
    ),
  })
  .map(({ age, before, idle, asks, hosts, isLeft, left, ...rest }) => ({
    ...rest,
    now,
    interval: 300,
    slot: now - age,
    slot_before: before === null ? null : now - age - before,
    idle_since: idle === null ? null : now - idle,
    left: left && isLeft && rest.price !== null ? { ...left, price: rest.price } : left,
    market: {
      asks: asks.toSorted((one, other) => one.price - other.price),
      machines: asks.length,
      hosts: Math.min(hosts, asks.length),
    },
    name_market: {
      machines: asks.length + 1,
      hosts: Math.min(hosts, asks.length),
      dearest: asks.reduce((top, { price }) => Math.max(top, price), 0),
    },
  }))

it('no change breaks a rail, whatever is asked', () => {
  let changes = 0
  fc.assert(
    fc.property(moment, (of) => {
      const decision = decidePrice(of)
      if (decision.kind !== 'change') return
      changes += 1
      const { rails, price: own } = of
      const floor = floorOf(of)
      if (own === null || floor === null) throw new Error('a change without a price or a floor')
      expect(decision.price).toBeGreaterThanOrEqual(floor)
      if (rails.ceiling !== null) expect(decision.price).toBeLessThanOrEqual(rails.ceiling)
      // Only a ceiling below the price may change the price by more than one step.
      if (decision.price !== rails.ceiling || decision.price > own)
        expect(Math.abs(decision.price / own - 1)).toBeLessThanOrEqual(rails.largest_step + 1e-3)
      expect(of.now - of.slot).toBeLessThanOrEqual(600)
      expect(of.slot_before).toBeGreaterThanOrEqual(of.slot - 450)
      const isAdvised = of.target.kind === 'recommended'
      if (isAdvised ? of.recommended === null : of.target.kind !== 'price') {
        const { machines, hosts } = isAdvised ? of.name_market : of.market
        expect(machines).toBeGreaterThanOrEqual(5)
        expect(hosts).toBeGreaterThanOrEqual(3)
      }
      if (of.left) expect(of.left.price).toBe(own)
      const most = Math.max(own, of.name_market.dearest ?? 0, floor)
      if (isAdvised) expect(decision.price).toBeLessThanOrEqual(1.001 * most)
      for (const one of of.changes) expect(now - one).toBeGreaterThanOrEqual(rails.hours_between * hour)
      expect(decision.price).not.toBe(own)
    }),
    { numRuns: 20_000 },
  )
  expect(changes).toBeGreaterThan(200)
})
