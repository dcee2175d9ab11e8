import { day, hour } from '../../contract/durations.ts'
import type { GpuRevenue } from '../../contract/revenue.ts'
import { type ChartSeries, type ChartSpec, fileName } from '../charts/spec.ts'
import { rentalsUnknown } from './charts.ts'
import { fillTimes } from './times.ts'

/** The revenue of the GPUs of a type over time. */
export function revenueOf(
  name: string,
  { timestamps, revpag, adr, reason }: GpuRevenue,
  about: Pick<ChartSpec, 'simulated' | 'subject' | 'zone'>,
): ChartSpec {
  const { times, spread } = fillTimes(timestamps, hour)
  const step = (timestamps[1] ?? 0) - (timestamps[0] ?? 0)
  const line = (label: string, color: ChartSeries['color'], values: (number | null)[]): ChartSeries => ({
    label,
    group: label,
    color,
    role: 'line',
    values: spread(values),
  })
  return {
    ...about,
    name: fileName(`revenue of ${name}`, about.simulated),
    title: `Revenue of ${name}`,
    unit: 'USD per GPU-hour',
    note: reason.includes('no_rentals_known')
      ? rentalsUnknown
      : 'Mean price paid (ADR): of the rented GPUs. Revenue per GPU (RevPAG): the same revenue divided by all GPUs on the market, that is, ADR × occupancy.',
    places: times,
    daily: step > 0 && step % day === 0,
    series: [line('Mean price paid', 'rented', adr), line('Revenue per GPU', 3, revpag)],
  }
}
