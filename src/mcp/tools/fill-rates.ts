import { z } from 'zod'
import type { fillAnswer, GpuFill, rateFields } from '../../../contract/fill.ts'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { gpuNames, pathOf, range, type Tool } from '../tool.ts'

const input = z.object({
  gpu_name: gpuNames(5),
  ...toolFilter,
  start: range.start.describe('Start of the range. Default: seven days before its end'),
  end: range.end,
})

export const fillRates: Tool<typeof input> = {
  name: 'fill_rates',
  title: 'GPU fill rates by price',
  description:
    'The fill rate of available GPUs in each price decile, the hours until a rental, and the expected occupancy. For "what should I charge".',
  input,
  path: ({ gpu_name, start, end, ...asked }) =>
    pathOf('/api/v0/metrics/gpu/fill', { gpu_name, ...filterParameters(asked), start, end }),
  summarize: ({ gpus }: z.output<typeof fillAnswer>) => ({
    figures: ['position', 'asked_price', 'rentals', 'fill_rate', 'hours_to_rent', 'expected_occupancy'],
    data: {
      gpus: Object.fromEntries(Object.entries(gpus).map(([name, fill]) => [name, summarizeFill(fill)])),
    },
  }),
}

const summarizeFill = ({ all, positions, reason }: GpuFill) => ({
  all: summarizeRate(all),
  reason,
  positions: positions.map(({ position, ...rate }) => ({ position, ...summarizeRate(rate) })),
})

export const summarizeRate = (rate: z.output<typeof rateFields>) => ({
  asked_price: [rate.price_low, rate.price_high],
  rentals: rate.rentals,
  fill_rate: rate.fill_rate,
  hours_to_rent: rate.hours_to_rent,
  expected_occupancy: rate.occupancy,
  reason: rate.reason,
})
