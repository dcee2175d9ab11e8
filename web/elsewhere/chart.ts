import type { CloudGpu } from '../../contract/list-prices.ts'
import { type History, historyOf } from '../api/history.ts'
import { distinct } from '../charts/palette.ts'
import { type ChartSeries, type ChartSpec, fileName, type Value } from '../charts/spec.ts'
import type { Zone } from '../format.ts'

/** The place of the available GPUs among the colours. */
const ofMarket = 1

/** A chart of on-demand prices of clouds and of the market. Points of both are at multiples of one step. */
export function cloudChart(
  name: string,
  cloud: CloudGpu | undefined,
  history: History | undefined,
  { spot, zone, simulated }: { spot: boolean; zone: Zone; simulated: boolean },
): ChartSpec {
  const own = history && historyOf(history, name)?.pricing
  const places = [...new Set([...(cloud?.timestamps ?? []), ...(own?.timestamps ?? [])])].sort(
    (a, b) => a - b,
  )
  const at = (times: readonly number[], values: readonly Value[]): Value[] => {
    const valueAt = new Map(times.map((time, index) => [time, values[index] ?? null]))
    return places.map((place) => valueAt.get(place) ?? null)
  }
  const market: ChartSeries[] = own
    ? [
        {
          label: 'This market, median',
          group: 'This market, median',
          color: 'available',
          role: 'line',
          values: at(own.timestamps, own.avail_median),
        },
        {
          label: 'This market, p10',
          group: 'This market, p10',
          color: 'available',
          role: 'line',
          dashed: true,
          values: at(own.timestamps, own.avail_p10),
        },
      ]
    : []
  // The market keeps its colour.
  const colors = Array.from({ length: distinct }, (_, index) => index).filter((index) => index !== ofMarket)
  const series = (cloud?.series ?? []).filter((one) => one.spot === spot).slice(0, colors.length)
  const clouds = series.map(({ provider, catalog, prices }, index): ChartSeries => {
    const isTwice = series.some((one) => one.provider === provider && one.catalog !== catalog)
    const label = isTwice ? `${provider} (${catalog})` : provider
    const color = colors[index] ?? 0
    return { label, group: label, color, role: 'step', values: at(cloud?.timestamps ?? [], prices) }
  })
  return {
    name: fileName(`Clouds and ${name}`, simulated),
    title: spot ? 'Spot prices' : 'Prices on demand',
    unit: 'USD per GPU-hour',
    zone,
    simulated,
    daily: false,
    note: 'The lowest list price of each provider. A list price does not say how many GPUs are available.',
    places: market.length + clouds.length > 0 ? places : [],
    series: [...market, ...clouds],
  }
}
