import type { AlertStatistic } from '../../contract/alert-kinds.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import type { Metric, View } from '../view.ts'

/** The figures of charts of one GPU type that a rule can watch. */
const watched: Partial<Record<Metric, AlertStatistic>> = { price: 'avail_median', occupancy: 'occupancy' }

/** The address of the form for a rule on the fall of a chart's figure; undefined: no rule can watch it. */
export function alertOf(view: View, metric: Metric, gpu: string): string | undefined {
  const figure = watched[metric]
  return figure && `${pages.alerts}?${new URLSearchParams({ gpu, figure, ...filterOf(view) })}`
}
