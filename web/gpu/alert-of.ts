import type { AlertStatistic } from '../../contract/alert-kinds.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import type { ChartSpec } from '../charts/spec.ts'
import type { Metric, View } from '../view.ts'

/** What a rule can watch of a chart of one GPU type, and the series that shows it. */
const watched: Partial<Record<Metric, [AlertStatistic, label: string]>> = {
  price: ['avail_median', 'Available median'],
  occupancy: ['occupancy', 'Rented ÷ total'],
}

/** The address of a rule that fires when a chart's figure falls by 5 % from where it is now; undefined where there is none. */
export function alertOf(view: View, metric: Metric, gpu: string, { series }: ChartSpec): string | undefined {
  const [figure, label] = watched[metric] ?? []
  const now = series.find((one) => one.label === label)?.values.findLast((value) => value !== null)
  if (figure === undefined || typeof now !== 'number') return undefined
  const limit = (0.95 * now).toPrecision(3)
  return `${pages.alerts}?${new URLSearchParams({ gpu, figure, limit, ...filterOf(view) })}`
}
