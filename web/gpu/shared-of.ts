import { askedFilters } from '../../contract/market-filter.ts'
import type { SharedChart } from '../../contract/shares.ts'
import type { HistoryQuestion } from '../api/history.ts'
import { source } from '../source.ts'
import type { Metric, View } from '../view.ts'

/** A chart on the page. */
export interface Shown {
  view: View
  metric: Metric
  question: HistoryQuestion
}

/** The content of a shared chart: a history query, and the settings of the view. */
export function sharedOf({
  view: { unit, side, score, axis, zone },
  metric,
  question: { start, ...question },
}: Shown): SharedChart {
  const given = Object.entries(askedFilters({ ...question, ...(start >= 0 && { start }), source })).filter(
    ([, value]) => value !== undefined,
  )
  return {
    metric,
    unit,
    side,
    score,
    axis,
    zone,
    query: `${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`,
    last: start < 0 ? -start : null,
  }
}
