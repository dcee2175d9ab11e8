import type { Group, IncomeTerm, TermAdviceAnswer } from '../../contract/income-by-terms.ts'
import { capitalized, counted, earned, wholePercent } from '../format.ts'

/** The group of a listing by a term. */
export function groupWords(term: IncomeTerm, { from, to }: Group): string {
  if (term === 'num_gpus') return `${from}×`
  if (term === 'min_gpus') return counted(from, 'GPU')
  if (term === 'min_bid')
    return to === null ? `${wholePercent(from)} or more` : `${100 * from} to ${wholePercent(to)}`
  if (to === null) return `${from} days or more`
  return from === 0 ? `Less than ${to} days` : `${from} to ${to} days`
}

/** The step that moves a listing to a group. */
export function stepWords(term: IncomeTerm, group: Group): string {
  const words = groupWords(term, group)
  if (term === 'min_gpus') return `offer parts of ${group.from}`
  if (term === 'min_bid') return `set the minimum bid at ${words} of the price`
  return term === 'days_left'
    ? `keep the end of the listing ${words.toLowerCase()} away`
    : `build ${words} rigs`
}

interface More {
  value: number | null
  low: number | null
  high: number | null
}

/** Money a day with its interval. */
export const moreWords = ({ value, low, high }: More): string =>
  `about ${earned(value)} a day more (${earned(low)} to ${earned(high)})`

/** A sentence for each term on which machines have advice. */
export const adviceSentences = ({ sums, advice }: Pick<TermAdviceAnswer, 'sums' | 'advice'>): string[] =>
  sums.flatMap(({ term, machines, more_per_day }) => {
    if (!more_per_day) return []
    const steps = advice.flatMap((one) =>
      one.term === term && one.better ? [stepWords(term, one.better)] : [],
    )
    const each = [...new Set(steps)].map(
      (step) => `${step} (${counted(steps.filter((one) => one === step).length, 'machine')})`,
    )
    const words = machines === 1 ? (steps[0] ?? '') : each.join(', ')
    return [`${capitalized(words)}: ${moreWords(more_per_day)}.`]
  })
