import { describe, expect, it } from 'vitest'
import type { OwnMachine } from '../../web/api/queries.ts'
import { compare } from '../../web/today/periods.ts'

const day = 86_400

interface Earnings {
  /** Days on the market. */
  days?: number
  earned: readonly [number, number, number]
  month?: number
}

const machine = ({ days = 30, earned, month }: Earnings): OwnMachine => {
  const covered = (most: number) => day * Math.min(days, most)
  const [income_1d, income_7d, income_30d] = earned
  return {
    figures: {
      covered_seconds: { '1d': covered(1), '7d': covered(7), '30d': covered(30) },
      income: month === undefined ? null : { value: month, low: month / 2, high: month * 2 },
      income_1d,
      income_7d,
      income_30d,
    },
  } as never
}

describe('the comparison of earnings', () => {
  const known = machine({ earned: [12, 77, 330], month: 300 })

  it('is with the expectation of the same period', () => {
    expect(compare([known], 'day')).toEqual({
      more: 2,
      base: 10,
      expected: { low: 5, high: 20, unknown: 0 },
    })
    expect(compare([known], 'week')).toMatchObject({ more: 7, base: 70 })
    expect(compare([known], 'month')).toMatchObject({ more: 30, base: 300 })
  })

  it('counts the time in which a machine was on the market', () => {
    const young = machine({ days: 2, earned: [10, 20, 20], month: 300 })
    expect(compare([young], 'week')).toMatchObject({ more: 0, base: 20 })
  })

  it('counts machines without an estimate as they earned, so that the sums agree', () => {
    const unknown = machine({ earned: [1, 5, 20] })
    expect(compare([known, unknown], 'week')).toMatchObject({ more: 7, base: 75, expected: { unknown: 1 } })
  })

  it('is with the days before where most of the earnings have no estimate', () => {
    const unknown = machine({ earned: [50, 147, 331] })
    expect(compare([unknown], 'week')).toEqual({ more: 91, base: 56, expected: null })
    expect(compare([unknown], 'day')?.base).toBeCloseTo(97 / 6)
    expect(compare([unknown], 'month')).toBeNull()
  })

  it('is none where few days are known, or no earnings', () => {
    expect(compare([machine({ days: 2, earned: [1, 2, 2] })], 'week')).toBeNull()
    expect(compare([], 'week')).toBeNull()
    expect(compare([{ figures: null } as never], 'day')).toBeNull()
  })
})
