import type { AdviceOutcomes } from '../../contract/advice-record.ts'
import { counted, earned, percent } from '../format.ts'

/** One sentence about advice that was followed, or not. */
export function outcomeWords(title: string, of: AdviceOutcomes): string {
  const { count, before_per_day: before, after_per_day: after, claimed_per_day: claimed, coverage } = of
  if (before === null || after === null || !claimed) return ''
  const change = `${earned(before)} a day before, ${earned(after)} after`
  const claim = `claimed ${earned(claimed.value)} more (${earned(claimed.low)} to ${earned(claimed.high)})`
  return `${counted(count, 'piece')} of advice ${title}: ${change}; ${claim}. ${percent(coverage)} of the changes lay within their intervals.`
}
