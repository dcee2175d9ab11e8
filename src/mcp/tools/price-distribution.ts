import { z } from 'zod'
import { day, hour } from '../../../contract/durations.ts'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { ladder } from '../../../contract/ladder.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import type { GpuPrices, pricesAnswer } from '../../../contract/prices.ts'
import { rangeOf } from '../series.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const input = z.object({
  gpu_name: gpuNames(5),
  ...toolFilter,
  ...range,
  bins: z.int().min(1).max(40).default(12).describe('The most price bins of a GPU type'),
})

export const priceDistribution: Tool<typeof input> = {
  name: 'price_distribution',
  title: 'GPU price distribution',
  description:
    'The number of available and rented GPUs per price bin, on average over the snapshots of a range.',
  input,
  path: ({ gpu_name, bins, ...asked }, now) => {
    const parameters = { gpu_name, ...filterParameters(asked), ...rangeOf(asked, now), bins }
    // The bins are summed over time, so the widest buckets that hardly widen a short range are used.
    return pathOf('/api/v0/metrics/gpu/prices', { ...parameters, step: widest(parameters) })
  },
  summarize: ({ gpus }: z.output<typeof pricesAnswer>) => ({
    figures: ['low', 'high', 'mean_available', 'mean_rented', 'unpriced_gpus'],
    data: {
      gpus: Object.fromEntries(Object.entries(gpus).map(([name, prices]) => [name, summarizePrices(prices)])),
    },
  }),
}

const widest = ({ start, end }: { start: number; end: number }): number =>
  ladder.findLast((step) => step <= day && step * 24 <= end - start) ?? hour

function summarizePrices({ slots, edges, available, rented, rented_unpriced, reason }: GpuPrices) {
  const sum = (counts: readonly (number | null)[] = []) =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  const snapshots = sum(slots)
  const rows = available.map((row, bin) => [
    edges[bin],
    edges[bin + 1],
    sum(row) / snapshots,
    sum(rented[bin]) / snapshots,
  ])
  const unpriced_gpus = sum(rented_unpriced) / snapshots
  return {
    snapshots,
    columns: ['low', 'high', 'mean_available', 'mean_rented'],
    bins: rows,
    unpriced_gpus,
    reason: reason.find((one) => one !== null) ?? null,
  }
}
