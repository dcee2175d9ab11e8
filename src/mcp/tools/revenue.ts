import { z } from 'zod'
import { hour } from '../../../contract/durations.ts'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import type { revenueAnswer } from '../../../contract/revenue.ts'
import { leftOut, listPoints, rangeOf, summary } from '../series.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const figures = ['revpag', 'adr', 'occupancy'] as const
const input = z.object({
  gpu_name: gpuNames(10),
  ...toolFilter,
  ...range,
  step: z
    .int()
    .min(hour)
    .max(31_536_000)
    .optional()
    .describe('Seconds of a bucket, whole hours: 3600, 86400, …'),
})

export const revenue: Tool<typeof input> = {
  name: 'revenue',
  title: 'GPU revenue and occupancy',
  description:
    'Earnings of a GPU on the market over a range: revenue per GPU (RevPAG), mean price of rented GPUs (ADR) and occupancy.',
  input,
  path: (asked, now) => {
    const { step = hour, ...times } = rangeOf(asked, now)
    const parameters = {
      gpu_name: asked.gpu_name,
      ...filterParameters(asked),
      ...times,
      step: Math.max(hour, step),
    }
    return pathOf('/api/v0/metrics/gpu/revenue', parameters)
  },
  summarize: ({ gpus }: z.output<typeof revenueAnswer>) => {
    const told = Object.entries(gpus).map(([name, { timestamps, reason, ...values }]) => {
      const series = Object.fromEntries(figures.map((figure) => [figure, values[figure]]))
      const points = listPoints(timestamps, series, Object.keys(gpus).length)
      const summaries = figures.map((figure) => [figure, summary(timestamps, values[figure])])
      const missing = reason.find((one) => one !== null) ?? null
      return [name, { summary: Object.fromEntries(summaries), points, reason: missing }] as const
    })
    const note = leftOut(told.every(([, { points }]) => points))
    return { figures, data: { gpus: Object.fromEntries(told) }, note }
  },
}
