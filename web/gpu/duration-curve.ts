import type { GpuAvailability } from '../../contract/availability.ts'
import { type ChartSpec, fileName } from '../charts/spec.ts'

/** The price at which a number of GPUs was available in a share of the hours. */
export function durationCurveOf(
  name: string,
  gpus: number,
  { duration }: GpuAvailability,
  about: Pick<ChartSpec, 'simulated' | 'subject' | 'zone'>,
): ChartSpec {
  const what = gpus === 1 ? 'one GPU' : `${gpus} GPUs`
  return {
    ...about,
    name: fileName(`price duration of ${name}`, about.simulated),
    title: `How cheap could I get ${gpus} × ${name}?`,
    unit: 'USD per GPU-hour',
    note: `The lowest price at which ${what} ${gpus === 1 ? 'was' : 'were'} available in at least this share of the hours.`,
    axis: 'share',
    // Without a price in any hour there is nothing to draw.
    places: duration.some((price) => price !== null)
      ? duration.map((_price, percent) => (percent + 1) / 100)
      : [],
    daily: false,
    series: [{ label: 'Price', group: 'Price', color: 'available', role: 'step', values: duration }],
  }
}
