import { day, hour } from '../../contract/durations.ts'
import type { GpuPrices } from '../../contract/prices.ts'
import { drawCells } from '../charts/cells.ts'
import { type ChartSpec, fileName } from '../charts/spec.ts'
import { counted, price } from '../format.ts'
import type { View } from '../view.ts'
import { rentalsUnknown } from './charts.ts'
import { fillTimes } from './times.ts'

/** A heat map: the number of GPUs of a type at each price over time, on one side of the market. */
export function heatMapOf(
  name: string,
  side: View['side'],
  { timestamps, slots, edges, available, rented, ...gpu }: GpuPrices,
  about: Pick<ChartSpec, 'simulated' | 'subject' | 'zone'>,
): ChartSpec {
  const { times, spread } = fillTimes(timestamps, hour)
  const step = (timestamps[1] ?? 0) - (timestamps[0] ?? 0)
  return {
    ...about,
    name: fileName(`prices ${side} of ${name}`, about.simulated),
    title: `Prices of ${name}, ${side}`,
    unit: 'USD per GPU-hour',
    note: `Darker cells have more GPUs at that price, on average over the snapshots of the bucket. The outermost rows include the few cheaper or more expensive GPUs.${side === 'rented' ? noteOn(gpu, slots) : ''}`,
    behind: drawCells,
    places: times,
    daily: step > 0 && step % day === 0,
    series: (side === 'rented' ? rented : available).map((row, bin) => {
      const [low = 0, high = 0] = [edges[bin], edges[bin + 1]]
      const mean = row.map((gpus, at) => (gpus === null ? null : gpus / (slots[at] || 1)))
      return {
        label: `GPUs at ${price(low)} to ${price(high)}`,
        group: side === 'rented' ? 'Rented' : 'Available',
        color: side,
        role: 'cells',
        low,
        high,
        values: spread(mean),
      }
    }),
  }
}

/** A note with the number of rented GPUs without a price, which the map lacks. */
function noteOn(
  { rented_unpriced: unpriced, reason }: Pick<GpuPrices, 'rented_unpriced' | 'reason'>,
  slots: readonly number[],
): string {
  if (reason.includes('no_rentals_known')) return ` ${rentalsUnknown}`
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const mean = Math.round(sum(unpriced) / (sum(slots) || 1))
  return mean > 0
    ? ` Of ${counted(mean, 'rented GPU')}, on average, no price is shown: few machines or hosts have them.`
    : ''
}
