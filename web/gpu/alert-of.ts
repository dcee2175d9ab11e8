import type { AlertStatistic } from '../../contract/alert-kinds.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import type { Metric, View } from '../view.ts'

/** What a rule can watch of a chart of one GPU type. */
const watched: Partial<Record<Metric, AlertStatistic>> = { price: 'avail_median', occupancy: 'occupancy' }

/** The address of a new rule on the fall of a chart's figure; undefined where there is none. */
export function alertOf(view: View, metric: Metric, gpu: string): string | undefined {
  const figure = watched[metric]
  return figure && `${pages.alerts}?${new URLSearchParams({ gpu, figure, ...filterOf(view) })}`
}
