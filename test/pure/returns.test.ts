import { describe, expect, it } from 'vitest'
import { earnedAfter, efficientLine, incomeOf, netOf, paybackOf, powerOf } from '../../estimates/returns.ts'

describe('returns', () => {
  it('the example of docs/numbers.md holds', () => {
    const paid = [6, 8, 9, 10, 12].map((daily) => daily / 24)
    const sum = (of: readonly number[]) => of.reduce((total, one) => total + one, 0)
    const income = incomeOf({
      machines: 5,
      income: sum(paid) / 5,
      squares: sum(paid.map((one) => one * one)) / 25,
      products: sum(paid) / 25,
      sizes: 5 / 25,
    })
    expect(income.value).toBeCloseTo(9, 9)
    expect(income.low).toBeCloseTo(6.23, 2)
    expect(income.high).toBeCloseTo(11.77, 2)
    const power = powerOf({ watts_idle: 52, watts_load: 450 }, 0.2, 0.75)
    expect(power).toBeCloseTo(1.68, 2)
    const net = netOf(income, { fee: 0.25 }, power)
    expect(net.value).toBeCloseTo(5.07, 2)
    const payback = paybackOf({ price: 1650, net, power, change: Math.log(0.9) })
    expect(payback.months).toBeCloseTo(10.7, 1)
    expect(payback.falling).toBeCloseTo(15.46, 2)
    expect(payback.reason).toBeNull()
  })

  it('months with falling prices end when the purchase price is earned', () => {
    const net = { value: 5, low: 4, high: 6 }
    const { falling } = paybackOf({ price: 900, net, power: 1, change: -0.1 })
    expect(earnedAfter(falling ?? 0, { net: 5, power: 1, change: -0.1 })).toBeCloseTo(900, 6)
  })

  it.each([
    ['no_purchase_price', { price: undefined, net: { value: 5, low: 4, high: 6 } }],
    ['no_income', { price: 900, net: { value: null, low: null, high: null } }],
    ['never', { price: 900, net: { value: -1, low: -2, high: 0 } }],
    ['never', { price: 900_000, net: { value: 1, low: 0.5, high: 2 } }],
  ])('payback is null with the reason %s', (reason, input) => {
    expect(paybackOf({ ...input, power: 1, change: null })).toMatchObject({
      months: null,
      falling: null,
      reason,
    })
  })

  it('payback with falling prices is null if it never comes or prices rise', () => {
    const net = { value: 5, low: 4, high: 6 }
    expect(paybackOf({ price: 1650, net, power: 2, change: -1.5 })).toMatchObject({
      falling: null,
      reason: null,
    })
    expect(paybackOf({ price: 1650, net, power: 2, change: 0.2 }).falling).toBeNull()
  })

  it('the efficient line has the points with the highest score up to their price', () => {
    const points = [
      [0.5, 100],
      [0.2, 40],
      [0.3, 30],
      [0.2, 35],
      [0.9, 100],
    ].map(([price = 0, score = 0]) => ({ price, score }))
    expect(efficientLine(points)).toEqual([
      { price: 0.2, score: 40 },
      { price: 0.5, score: 100 },
    ])
    expect(efficientLine([])).toEqual([])
  })
})
