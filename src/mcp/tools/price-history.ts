import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import type { GpuHistory, historyAnswer } from '../../../contract/history.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { leftOut, listPoints, rangeOf, summary } from '../series.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const most = 10
const listed = ['rented_median', 'avail_p10', 'avail_median', 'avail_p90'] as const
const prices = ['rented_p10', ...listed, 'rented_p90'] as const
const input = z.object({
  gpu_name: gpuNames(most),
  ...toolFilter,
  ...range,
  step: z.int().min(60).max(31_536_000).optional().describe('Seconds of a bucket: 900, 3600, 86400, …'),
})

export const priceHistory: Tool<typeof input> = {
  name: 'price_history',
  title: 'GPU prices and supply over time',
  description:
    'Price percentiles and supply per GPU type over a range: the first, last, lowest and highest values, and the points where there are few.',
  input,
  path: (asked, now) =>
    pathOf('/api/v0/metrics/gpu/history', {
      gpu_name: asked.gpu_name,
      ...filterParameters(asked),
      ...rangeOf(asked, now),
    }),
  summarize: ({ gpus }: z.output<typeof historyAnswer>, _, headers) => {
    const about = { types: Object.keys(gpus).length, hasRentals: headers['rackrate-rentals'] === undefined }
    const told = Object.entries(gpus).map(([name, gpu]) => [name, summarizeGpu(gpu, about)] as const)
    const note = leftOut(told.every(([, { points }]) => points))
    return {
      figures: [...prices, 'total', 'total_gpus', 'rented_gpus', 'tflops', 'dlperf'],
      data: { gpus: Object.fromEntries(told) },
      note,
    }
  },
}

function summarizeGpu(
  { pricing, supply_demand: supply, stats }: GpuHistory,
  { types, hasRentals }: { types: number; hasRentals: boolean },
) {
  const { timestamps, total, total_gpus, rented_verified_gpus, rented_unverified_gpus } = supply
  const rented_gpus = rented_verified_gpus.map((gpus, index) =>
    hasRentals ? gpus + (rented_unverified_gpus[index] ?? 0) : null,
  )
  const counts = { total, total_gpus, rented_gpus }
  const shown = Object.fromEntries(listed.map((name) => [name, pricing[name]]))
  const all = { ...Object.fromEntries(prices.map((name) => [name, pricing[name]])), ...counts }
  return {
    summary: Object.fromEntries(
      Object.entries(all).map(([name, values]) => [name, summary(timestamps, values)]),
    ),
    performance: { tflops: stats.tflops, dlperf: stats.dlperf },
    points: listPoints(timestamps, { ...shown, total_gpus, rented_gpus }, types),
  }
}
