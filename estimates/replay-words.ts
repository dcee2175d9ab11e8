import { earnedWords, exactly } from '../contract/money.ts'
import type { Estimate } from './fill-rate.ts'

/** The reasons for a missing replay, each with the next step. */
export const noReplayWords = {
  not_seen:
    'The machine was not on the market in these days. Bring it online and list it; ask again when it was on the market for a day.',
  too_new: 'The machine was on the market for less than a day. Ask again tomorrow.',
  not_listed: 'The machine had no price in these days. Name one.',
  few_in_class:
    'No other machine of its class had GPUs on offer, so there is nothing to follow. Name a price instead.',
  few_as_dear:
    'Hardly any GPU on offer cost as much in these days, so it is not known how fast such a one is rented. Name a lower price.',
  few_rentals:
    'Too few GPUs of this type were rented at such prices to know how fast they go. Name a price nearer to the market, or ask again in a few days.',
}

const priceOf = exactly(4)

interface ReplayResult {
  rule: 'hold' | 'follow' | 'drop' | 'dry_run'
  price: number | null
  percentile: number
  drop: number
  /** Replayed hours. */
  hours: number
  expected: Estimate
  actual: number
}

/** Sentences about the simulated income of a machine. */
export function replayWords({ expected, actual, hours, ...asked }: ReplayResult): string {
  const { value, low, high } = expected
  const span = hours < 48 ? `${hours} hours` : `${Number((hours / 24).toFixed(1))} days`
  const would = `${askedWords(asked)} it would have earned about ${earnedWords(value)} in ${span}: in 8 of 10 cases ${earnedWords(low)} to ${earnedWords(high)}.`
  const actually = `It actually earned ${earnedWords(actual)}`
  if (actual < low) return `${would} ${actually}, less than that.`
  return actual > high
    ? `${would} ${actually}, more than that.`
    : `${would} ${actually}, which is within the expected range.`
}

function askedWords({
  rule,
  price,
  percentile,
  drop,
}: Omit<ReplayResult, 'expected' | 'actual' | 'hours'>): string {
  if (rule === 'dry_run') return 'With the prices of the dry run'
  if (rule === 'follow') return `At the ${percentile}th percentile of its class`
  const begin = priceOf(price ?? 0)
  return rule === 'hold' ? `At ${begin}` : `From ${begin}, ${drop} % less for each idle day,`
}

interface DryRun {
  total: { expected: Estimate; actual: number } | null
  machines: readonly object[]
  left_out: number
}

/** A sentence about the simulated income of a dry run. */
export function dryRunWords({ total, machines, left_out }: DryRun): string {
  if (total === null) return 'Results appear after the first day.'
  const { value, low, high } = total.expected
  return `It would have earned about ${earnedWords(value)} (8 of 10 cases: ${earnedWords(low)} to ${earnedWords(high)}) where ${earnedWords(total.actual)} was earned${left_out === 0 ? '' : `, with ${machines.length} of ${machines.length + left_out} machines`}.`
}
