import { z } from 'zod'
import type { depthAnswer, GpuDepth } from '../../../contract/depth.ts'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const mostLevels = 40
const figures = [
  ...(['price', 'available_gpus', 'rented_gpus', 'unpriced_gpus'] as const),
  ...(['average_price', 'marginal_price'] as const),
]
const count = z.int().min(1).max(1_000_000)
const input = z.object({
  gpu_name: gpuNames(5),
  ...toolFilter,
  at: range.end.describe('The snapshot at or before this time. Default: the newest'),
  gpus: count.optional().describe('Return also the price of this many of the cheapest available GPUs'),
  per_machine: count.optional().describe('Only machines with at least this many available GPUs'),
})

export const orderBook: Tool<typeof input> = {
  name: 'order_book',
  title: 'GPU order book',
  description:
    'Available and rented GPUs at each price in a snapshot, and the price of a given number of the cheapest available GPUs.',
  input,
  path: ({ gpu_name, at, gpus, per_machine, ...asked }) =>
    pathOf('/api/v0/metrics/gpu/depth', {
      gpu_name,
      ...filterParameters(asked),
      at,
      gpus,
      per_machine,
    }),
  summarize: ({ gpus }: z.output<typeof depthAnswer>) => {
    const told = Object.entries(gpus).map(([name, book]) => [name, summarizeBook(book)] as const)
    const isLong = told.some(([, { levels_left_out }]) => levels_left_out > 0)
    return {
      figures,
      data: { gpus: Object.fromEntries(told) },
      note: isLong
        ? `Only the ${mostLevels} lowest prices are listed. price_distribution has all of them, in bins.`
        : undefined,
    }
  },
}

function summarizeBook({ price, available, rented, cheapest }: GpuDepth) {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    available_gpus: sum(available),
    rented_gpus: sum(rented.gpus) + rented.unpriced,
    unpriced_gpus: rented.unpriced,
    cheapest,
    columns: ['price', 'available_gpus'],
    levels: price.slice(0, mostLevels).map((one, index) => [one, available[index]]),
    rented_columns: ['price', 'rented_gpus'],
    rented_levels: rented.price.slice(0, mostLevels).map((one, index) => [one, rented.gpus[index]]),
    reason: rented.reason,
    levels_left_out: Math.max(0, price.length - mostLevels, rented.price.length - mostLevels),
  }
}
