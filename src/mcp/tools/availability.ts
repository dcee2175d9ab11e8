import { z } from 'zod'
import type { availabilityAnswer } from '../../../contract/availability.ts'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { rangeOf } from '../series.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const percents = [1, 10, 25, 50, 75, 90, 95, 99, 100]
const input = z.object({
  gpu_name: gpuNames(10),
  ...toolFilter,
  ...range,
  gpus: z.int().min(1).max(1_000_000).default(1).describe('The number of GPUs that must be available'),
  price: z
    .number()
    .min(0)
    .max(999_999)
    .optional()
    .describe('USD per GPU-hour that each of them may cost at most'),
})

export const availability: Tool<typeof input> = {
  name: 'availability',
  title: 'GPU availability at a price',
  description:
    'The share of the hours in a range in which a number of GPUs was available at a price, and the price that sufficed in 1, 10, … 100 percent of the hours.',
  input,
  path: ({ gpu_name, gpus, price, ...asked }, now) => {
    const { start, end } = rangeOf(asked, now)
    const limit = price === undefined ? undefined : price.toFixed(9)
    const parameters = { gpu_name, ...filterParameters(asked), start, end, gpus, price: limit }
    return pathOf('/api/v0/metrics/gpu/availability', parameters)
  },
  summarize: ({ gpus }: z.output<typeof availabilityAnswer>) => {
    const told = Object.entries(gpus).map(([name, { hours, share, duration }]) => {
      const curve = percents.map((percent) => [percent, duration[percent - 1] ?? null])
      return [name, { hours, share, columns: ['percent_of_hours', 'price'], duration: curve }]
    })
    return {
      figures: ['hours', 'share', 'percent_of_hours', 'price'],
      data: { gpus: Object.fromEntries(told) },
    }
  },
}
