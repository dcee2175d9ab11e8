import { expect, it } from 'vitest'
import { outcomeWords } from '../../web/machines/outcome-words.ts'

it('the sentence about outcomes of advice has incomes before and after beside the claim', () => {
  const of = {
    count: 2,
    before_per_day: 10,
    after_per_day: 13,
    claimed_per_day: { value: 2, low: 1, high: 3 },
    coverage: 0.5,
    error_ratio: 0.33,
  }
  expect(outcomeWords('followed', of)).toBe(
    '2 pieces of advice followed: $10.00 a day before, $13.00 after; claimed $2.00 more ($1.00 to $3.00). 50.0\u00a0% of the changes lay within their intervals.',
  )
})

it('nothing is written about outcomes that are not known', () => {
  const none = {
    before_per_day: null,
    after_per_day: null,
    claimed_per_day: null,
    coverage: null,
    error_ratio: null,
  }
  expect(outcomeWords('followed', { count: 0, ...none })).toBe('')
})
