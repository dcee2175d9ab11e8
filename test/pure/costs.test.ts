import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type Costs, costFields } from '../../contract/cost-fields.ts'
import { costsBody } from '../../contract/costs.ts'
import {
  breakEvenOccupancy,
  breakEvenPrice,
  costsOf,
  isEntered,
  keepOn,
  marginOf,
  netADay,
  paybackDays,
} from '../../estimates/costs.ts'
import { catalog } from '../../simulate/gpu-types.ts'
import {
  type CostCase,
  expectedBreakEven,
  expectedDays,
  expectedFloor,
  expectedNet,
  expectedOn,
} from '../oracle/costs.ts'

const decimal = (least: number, most: number, decimals: number) =>
  fc
    .integer({ min: Math.round(least * 10 ** decimals), max: Math.round(most * 10 ** decimals) })
    .map((whole) => whole / 10 ** decimals)
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 5 })

const costs = fc
  .record({
    kwh_price: maybe(decimal(0, 1, 4)),
    watts: maybe(fc.tuple(decimal(0, 2000, 1), decimal(0, 9000, 1))),
    fee_percent: maybe(decimal(0, 99.99, 2)),
    other_per_month: maybe(decimal(0, 500, 2)),
    purchase_price: maybe(decimal(0, 300_000, 2)),
    months: maybe(fc.integer({ min: 1, max: 96 })),
  })
  .map(({ watts, ...others }): Costs => {
    const [idle, more] = watts ?? [null, null]
    return {
      ...others,
      watts_idle: idle,
      watts_load: more === null ? null : Math.round(10 * (idle + more)) / 10,
    }
  })
const cases: fc.Arbitrary<CostCase> = fc.record({
  price: decimal(0.0001, 12, 9),
  gpus: fc.integer({ min: 1, max: 16 }),
  occupancy: fc.oneof(decimal(0, 1, 4), decimal(0, 1, 12), fc.constantFrom(0, 1)),
  costs,
})
const certain = (value: number) => ({ value, low: value, high: value })
/** A type without a known board power, so that nothing is assumed. */
const knownOf = (own: Costs) => costsOf(undefined, own, { gpu_name: 'No such GPU', num_gpus: 1 })
const runs = { numRuns: 2000, seed: 20_261_124 }

describe('costs', () => {
  it('agree with fractions of whole numbers to the cent', () => {
    const seen = { net: 0, floor: 0, payback: 0 }
    fc.assert(
      fc.property(cases, (one) => {
        const known = knownOf(one.costs)
        const occupancy = certain(one.occupancy)
        const net = netADay(one, occupancy, known)
        expect(net?.value ?? null).toBe(isEntered(known) ? expectedNet(one) : null)
        if (net) seen.net += 1
        const margin = marginOf(known, one.gpus)
        const { kwh_price, watts_load, fee_percent } = one.costs
        expect(margin === null).toBe([kwh_price, watts_load, fee_percent].includes(null))
        if (margin) {
          expect(margin).toMatchObject(expectedFloor(one))
          expect(keepOn(one, occupancy, known)?.per_day.value).toBe(expectedOn(one))
          seen.floor += 1
        }
        const even = expectedBreakEven(one)
        expect(breakEvenPrice(one.gpus, one.occupancy, known)).toBe(even.price)
        expect(breakEvenOccupancy(one, known)).toBe(even.occupancy)
        const days = paybackDays(one, occupancy, known)
        expect(days === null).toBe(one.costs.purchase_price === null)
        if (!days) return
        expect(days).toEqual(certain(expectedDays(one) as number))
        seen.payback += 1
      }),
      runs,
    )
    expect(Math.min(seen.net, seen.floor, seen.payback)).toBeGreaterThan(500)
  })

  it('leave nothing at the price and the occupancy that break even', () => {
    let compared = 0
    fc.assert(
      fc.property(cases, (one) => {
        const known = knownOf(one.costs)
        const price = breakEvenPrice(one.gpus, one.occupancy, known)
        if (price === null || !isEntered(known)) return
        const net = (asked: number) =>
          netADay({ ...one, price: asked }, certain(one.occupancy), known)?.value ?? 0
        // A billionth of a dollar less for each GPU-hour is less than a cent a day.
        expect(Math.abs(net(price))).toBeLessThanOrEqual(0.01)
        expect(net(price + 1)).toBeGreaterThanOrEqual(net(price))
        compared += 1
      }),
      runs,
    )
    expect(compared).toBeGreaterThan(500)
  })

  it('have an interval that holds the value, also below the floor', () => {
    fc.assert(
      fc.property(cases, fc.double({ min: 0, max: 0.5, noNaN: true }), (one, width) => {
        const { occupancy: value } = one
        const occupancy = { value, low: value * (1 - width), high: value + (1 - value) * width }
        const net = netADay(one, occupancy, knownOf(one.costs))
        if (!net) return
        expect(net.low).toBeLessThanOrEqual(net.value)
        expect(net.high).toBeGreaterThanOrEqual(net.value)
      }),
      runs,
    )
  })

  it('at the floor leave as much rented as idle', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const known = knownOf(one.costs)
        const margin = marginOf(known, one.gpus)
        if (!margin) return
        const net = (price: number, share: number) =>
          netADay({ ...one, price }, certain(share), known)?.value ?? 0
        expect(net(margin.minimum_bid, 1)).toBeGreaterThanOrEqual(net(margin.minimum_bid, 0))
        expect(Math.abs(net(margin.floor, 1) - net(margin.floor, 0))).toBeLessThanOrEqual(0.011)
        expect(margin.minimum_bid).toBeGreaterThanOrEqual(margin.floor)
        expect(margin.minimum_bid - margin.floor).toBeLessThan(0.01)
      }),
      runs,
    )
  })

  it('are taken from the machine, else from the account; watts are assumed, the rest is unknown', () => {
    const l4 = { gpu_name: 'l4', num_gpus: 8 }
    const none = Object.fromEntries(costFields.map((field) => [field, null])) as Costs
    expect(costsOf(undefined, undefined, l4)).toEqual({
      values: { ...none, watts_idle: 67, watts_load: 576 },
      assumed: ['watts_idle', 'watts_load'],
      unknown: ['kwh_price', 'fee_percent', 'other_per_month', 'purchase_price', 'months'],
    })
    expect(isEntered(costsOf(undefined, undefined, l4))).toBe(false)
    const account = { ...none, kwh_price: 0, fee_percent: 25, other_per_month: 30 }
    const own = { ...none, watts_idle: 90, watts_load: 700, fee_percent: 0 }
    expect(costsOf(account, own, l4)).toEqual({
      values: { ...account, ...own, kwh_price: 0, fee_percent: 0, other_per_month: 30 },
      assumed: [],
      unknown: ['purchase_price', 'months'],
    })
    expect(costsOf(account, undefined, { gpu_name: 'Abacus', num_gpus: 8 }).unknown).toContain('watts_load')
  })

  it('know the board power of every type of the simulated market', () => {
    const unknown = catalog.filter(({ name }) =>
      costsOf(undefined, undefined, { gpu_name: name, num_gpus: 1 }).unknown.includes('watts_load'),
    )
    expect(unknown).toEqual([])
  })

  it('equal the worked example in docs/numbers.md', () => {
    const own = {
      kwh_price: 0.3,
      watts_idle: 200,
      watts_load: 1700,
      fee_percent: 25,
      other_per_month: 36.5,
      purchase_price: 8760,
      months: 36,
    }
    const known = knownOf(own)
    const asked = { price: 0.5, gpus: 4 }
    const occupancy = { value: 0.6, low: 0.5, high: 0.7 }
    const margin = marginOf(known, 4)
    expect(margin).toEqual({ kept: 0.75, power: 0.1125, floor: 0.15, minimum_bid: 0.15 })
    const net = netADay(asked, occupancy, known)
    const days = paybackDays(asked, occupancy, known)
    const text = readFileSync('docs/numbers.md', 'utf8').replaceAll(/\s+/g, ' ')
    const sentences = [
      `the floor is (1700 − 200) ÷ 1000 × 0.30 ÷ 0.75 ÷ 4 = ${margin?.floor.toFixed(2)} USD`,
      `= ${net?.value.toFixed(2)} USD a day, from ${net?.low.toFixed(2)} to ${net?.high.toFixed(2)}`,
      `break-even price is ${breakEvenPrice(4, 0.6, known)?.toFixed(4)}`,
      `break-even occupancy ${((breakEvenOccupancy(asked, known) ?? 0) * 100).toFixed(1)} %`,
      `earned after ${days?.value} days, from ${days?.low} to ${days?.high}`,
      `earns ${keepOn(asked, occupancy, known)?.per_day.value.toFixed(2)} USD a day more powered on`,
    ]
    expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([])
  })
})

describe('costs that are entered', () => {
  const problems = (body: unknown) =>
    costsBody.safeParse(body).error?.issues.map((issue: z.core.$ZodIssue) => issue.path.join('.'))

  it.each([
    ['kwh_price', { kwh_price: -0.1 }],
    ['kwh_price', { kwh_price: 11 }],
    ['kwh_price', { kwh_price: '0.3' }],
    ['watts_load', { watts_idle: 100, watts_load: 1_000_000 }],
    ['watts_idle', { watts_idle: -1, watts_load: 5 }],
    ['watts_load', { watts_idle: 100, watts_load: 50 }],
    ['watts_load', { watts_idle: 100 }],
    ['watts_idle', { watts_load: 100 }],
    ['fee_percent', { fee_percent: 100 }],
    ['fee_percent', { fee_percent: -1 }],
    ['other_per_month', { other_per_month: -1 }],
    ['purchase_price', { purchase_price: -1 }],
    ['months', { months: 0 }],
    ['', { kwh_prize: 0.3 }],
  ])('are refused with the field %s: %j', (field, body) => {
    expect(problems(body)).toEqual([field])
  })

  it('may be 0, and are unknown where they are left out', () => {
    const body = { kwh_price: 0, fee_percent: 0, other_per_month: 0, purchase_price: 0 }
    expect(costsBody.parse(body)).toEqual({ ...body, watts_idle: null, watts_load: null, months: null })
  })
})
