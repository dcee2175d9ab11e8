import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { adviceWords } from '../../estimates/advice-words.ts'
import type { PooledAdvice } from '../../estimates/pooled/advise.ts'
import { noDecision } from '../../estimates/pooled/decide.ts'
import { gpusAtOnce } from '../../estimates/pooled/terms.ts'
import { trialOf, waitOf } from '../../estimates/pooled/wait.ts'

const gain = { value: 3.2, low: -1.5, high: 5 }
const wait = waitOf(Float64Array.of(0.05), { gpus: 4, atOnce: 2.9 })

it('examples of docs/numbers.md equal the counts of contracts, the wait and the trial', () => {
  const text = readFileSync('docs/numbers.md', 'utf8').replaceAll(/\s+/g, ' ')
  const atOnce = gpusAtOnce(8, new Map([[8, { gpus: 40, squares: 260 }]]))
  expect(text).toContain(`= ${atOnce.toFixed(3)}, so these are ${(40 / atOnce).toFixed(1)} contracts.`)
  const [half, long] = [wait.hours, wait.long_hours].map((hours) => hours.toFixed(2))
  expect(text).toContain(`within ${half} h, and four of five within ${long} h.`)
  const { days, cost } = trialOf(wait, gain)
  expect(text).toContain(
    `lasts ${days} day. If the lower end of its gain is −1.50 USD a day, it costs at most ${cost.toFixed(2)} USD.`,
  )
})

const advice: Omit<PooledAdvice, 'draws'> = {
  decision: {
    verdict: 'raise',
    price: 0.41,
    end_price: 0.41,
    basis: 'gross',
    below_floor: false,
    gain_per_day: { value: 3.2, low: 1.5, high: 5 },
    chance: 0.99,
    end_gain: null,
    obstacle: null,
  },
  grade: 'class',
  income: null,
  wait,
  trial: null,
  wait_now: null,
}
const changed = (decision: Partial<PooledAdvice['decision']>): PooledAdvice['decision'] => ({
  ...advice.decision,
  ...decision,
})

it('sentences name the price, the gain, the cost of a trial, the wait and the source', () => {
  expect(adviceWords(advice).reason).toBe(
    'Raise it to $0.41: about $3.20 a day more ($1.50 to $5.00). Estimated from rentals of similar machines.',
  )
  const end = { value: 5, low: 2, high: 8 }
  expect(adviceWords({ ...advice, decision: changed({ end_price: 0.6, end_gain: end }) }).reason).toContain(
    ' In steps of at most 20 % this leads to $0.6: about $5.00 a day more ($2.00 to $8.00).',
  )
  const trial = { days: 2, cost: 3 }
  const tried = changed({ verdict: 'try', gain_per_day: gain, chance: 0.714 })
  expect(adviceWords({ ...advice, decision: tried, trial, grade: 'first_snapshot' }).reason).toMatch(
    /^Try \$0\.41: probably about \$3\.20 a day more \(−\$1\.50 to \$5\.00\)\. It earns more than now in 71 of 100 cases\. Ask it for 2 days: it costs at most \$3\.00 and shows more\. Estimated from the first snapshots of the market\.$/,
  )
  const start = changed({ verdict: 'start', gain_per_day: null, chance: null })
  expect(adviceWords({ ...advice, decision: start }).reason).toMatch(
    /^Start at \$0\.41\. Half of such machines are rented within 10 h, 99 % within 3 days\. Step down if it is still free after 23 h\. /,
  )
  expect(
    adviceWords({ ...advice, decision: changed({ verdict: 'keep' }), grade: 'own_results' }).reason,
  ).toBe(
    'No other price is likely to earn over 10 % more. Estimated from rentals of similar machines and its own.',
  )
  const unknown = noDecision('no_rentals_known', { price: 0.4, margin: null })
  expect(adviceWords({ ...advice, decision: unknown }).reason).toMatch(
    /^The source of this market does not show/,
  )
})

it('the evidence leaves out the sentence that the verdict, the price and the gain say', () => {
  const evidenceOf = (decision: Partial<PooledAdvice['decision']>) =>
    adviceWords({ ...advice, decision: changed(decision) }).evidence
  const source = 'Estimated from rentals of similar machines.'
  expect(evidenceOf({})).toBe(source)
  expect(evidenceOf({ end_price: 0.6, end_gain: gain })).toBe(
    `In steps of at most 20 % this leads to $0.6: about $3.20 a day more (−$1.50 to $5.00). ${source}`,
  )
  expect(evidenceOf({ verdict: 'start', gain_per_day: null })).toMatch(/^Half of such machines/)
  expect(evidenceOf({ verdict: 'keep' })).toBe(`No other price is likely to earn over 10 % more. ${source}`)
  expect(evidenceOf({ below_floor: true })).toMatch(/^Raise it to \$0\.41, the minimum bid: /)
})

it('a price below the floor is raised to the minimum bid, even where no rates are known', () => {
  const margin = { kept: 0.8, power: 0.1, floor: 0.125, minimum_bid: 0.13 }
  const decision = noDecision('no_market', { price: 0.1, margin })
  expect(decision).toMatchObject({ verdict: 'raise', price: 0.13, basis: 'net', below_floor: true })
  expect(adviceWords({ ...advice, decision }).reason).toBe(
    'Raise it to $0.13, the minimum bid: below it, a rented hour leaves less than an idle one.',
  )
})
