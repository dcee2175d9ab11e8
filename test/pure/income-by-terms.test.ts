import { describe, expect, it } from 'vitest'
import { adviceOnParts } from '../../bench/income-by-terms.ts'
import { compareGroups, sumOfAdvice, type TermDays } from '../../estimates/income-by-terms.ts'

/** Machines that earn these dollars a day, each of another host. */
const earning = (incomes: readonly number[], stratum = 'yes'): TermDays[] =>
  incomes.map((income, index) => ({
    host: `${stratum} ${index} ${incomes.length}`,
    stratum,
    days: 30,
    gpus: 100,
    paid: (income * 100) / 24,
  }))
const around = (mean: number, count: number) =>
  Array.from({ length: count }, (_, index) => mean + (index % 5) - 2)

describe('incomes of groups by a term', () => {
  it('have the difference of their means, and advice for the group that earned less', () => {
    const [parts, whole] = compareGroups([
      { level: 1, rows: earning(around(12, 40)) },
      { level: 8, rows: earning(around(9, 45)) },
    ])
    expect(parts).toMatchObject({ level: 1, machines: 40, hosts: 40, better: null, reason: 'none_better' })
    expect(parts?.income.value).toBeCloseTo(12, 9)
    expect(whole?.better?.level).toBe(1)
    // The penalty of the regression is as much as one more machine.
    expect(whole?.better?.more.value).toBeCloseTo(3 / (1 + 1 / 85), 9)
    // The example of docs/numbers.md.
    expect(whole?.better?.more.low).toBeCloseTo(2.34, 2)
    expect(whole?.better?.more.high).toBeCloseTo(3.59, 2)
    expect(whole?.reason).toBeNull()
  })

  it('are compared within strata only', () => {
    const [one, other] = compareGroups([
      { level: 1, rows: [...earning(around(20, 40), 'yes'), ...earning(around(5, 20), 'no')] },
      { level: 2, rows: [...earning(around(20, 20), 'yes'), ...earning(around(5, 50), 'no')] },
    ])
    expect(one?.income.value).toBeGreaterThan((other?.income.value ?? 0) + 4)
    expect(other?.others[0]?.more.value).toBeCloseTo(0, 9)
    expect(other).toMatchObject({ better: null, reason: 'none_better' })
  })

  it.each([
    ['one_group', [{ level: 1, rows: earning(around(9, 40)) }]],
    [
      'few_machines',
      [
        { level: 1, rows: earning(around(9, 40)) },
        { level: 2, rows: earning(around(20, 9)) },
      ],
    ],
    [
      'few_hosts',
      [
        { level: 1, rows: earning(around(9, 40)) },
        { level: 2, rows: earning(around(20, 20)).map((row, index) => ({ ...row, host: `${index % 4}` })) },
      ],
    ],
    [
      'few_machines',
      [
        { level: 1, rows: earning(around(9, 40), 'yes') },
        { level: 2, rows: earning(around(20, 40), 'no') },
      ],
    ],
  ])('have no advice with the reason %s', (reason, groups) => {
    expect(compareGroups(groups)[0]).toMatchObject({ others: [], better: null, reason })
  })
})

describe('the sum of advice', () => {
  it('adds up errors within a class, and takes classes as independent', () => {
    const more = { value: 2, low: 1, high: 3 }
    const sum = sumOfAdvice([
      { class: 'a', more },
      { class: 'a', more: { value: 4, low: 2, high: 6 } },
      { class: 'b', more: { value: 5, low: 1, high: 9 } },
    ])
    expect(sum).toEqual({ value: 11, low: 6, high: 16 })
  })
})

describe('advice on the smallest part in simulated markets', () => {
  it('has the planted sign, and intervals hold the planted difference', () => {
    const { compared, held, right, wrong } = adviceOnParts([1, 2, 3, 4, 5], { size: 1500, isPlanted: true })
    expect(compared).toBeGreaterThan(40)
    expect(held / compared).toBeGreaterThan(0.9)
    expect(right / compared).toBeGreaterThan(0.15)
    expect(wrong).toBe(0)
  })

  it('is given in at most one class of twenty where the part makes no difference', () => {
    const { compared, held, right, wrong } = adviceOnParts([1, 2, 3, 4, 5], { size: 1500, isPlanted: false })
    expect(held / compared).toBeGreaterThan(0.93)
    expect((right + wrong) / compared).toBeLessThanOrEqual(0.05)
  })
})
