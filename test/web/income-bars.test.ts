import { describe, expect, it } from 'vitest'
import type { OwnMachine } from '../../web/api/queries.ts'
import { amountsOf, axisOf, barsOf, dayWords, expectedADay, type IncomeBar } from '../../web/today/days.ts'

const day = 86_400
const start = 20_000 * day
const answer = (...incomes: (number | null)[]) => ({
  success: true as const,
  slot: start,
  machines: 2,
  income_at: 'contract' as const,
  past_reason: null,
  days: incomes.map((income, index) => ({
    day: start + index * day,
    recorded_seconds: income === null ? 0 : index === incomes.length - 1 ? 21_600 : day,
    machines: 2,
    income,
    net: null,
  })),
})
const machine = (of: Partial<OwnMachine>, month: number | null): OwnMachine =>
  ({
    online: true,
    price: 1,
    ...of,
    figures: { income: month && { value: month, low: 0, high: month } },
  }) as never

describe('the bars of days', () => {
  it('compare the present day with the expectation of its recorded part', () => {
    const bars = barsOf(answer(null, 10, 3), 16)
    expect(bars.map(({ expected }) => expected)).toEqual([null, 16, 4])
    expect(bars.map(dayWords)).toEqual([
      'Friday 4 Oct, not recorded',
      'Saturday 5 Oct',
      'Sunday 6 Oct, so far',
    ])
    expect(bars.map(amountsOf)).toEqual([
      [],
      ['$10.00 earned', '$16.00 expected'],
      ['$3.00 earned', '$4.00 expected'],
    ])
  })

  it('name a gap, and the net where costs are known', () => {
    const [bar] = barsOf(answer(7, 8), null)
    const gap: IncomeBar = { ...(bar as IncomeBar), recorded: 0.75, net: 5 }
    expect(dayWords(gap)).toBe('Friday 4 Oct, 18 hours recorded')
    expect(amountsOf(gap)).toEqual(['$7.00 earned', '$5.00 net'])
  })

  it('are none where no income is known', () => {
    expect(barsOf(answer(null, null), 16)).toEqual([])
    expect(barsOf(answer(), 16)).toEqual([])
  })

  it('have lines at round amounts, also without any income', () => {
    const of = (...incomes: number[]) => axisOf(barsOf(answer(...incomes), null))
    expect(of(313, 100)).toEqual({ top: 313, lines: [0, 100, 200, 300] })
    expect(of(1.9).lines).toEqual([0, 0.5, 1, 1.5])
    expect(of(0).lines).toEqual([0, 0.01])
  })
})

describe('the expected income of a day', () => {
  it('adds up machines on offer, and is unknown where the estimate of one is missing', () => {
    const [good, gone, unlisted] = [
      machine({}, 30),
      machine({ online: false }, null),
      machine({ price: null }, null),
    ]
    expect(expectedADay([good, gone, unlisted])).toBe(1)
    expect(expectedADay([good, machine({}, null)])).toBeNull()
    expect(expectedADay([gone])).toBeNull()
    expect(expectedADay([])).toBeNull()
  })
})
