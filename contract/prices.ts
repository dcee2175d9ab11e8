import { z } from 'zod'
import { named } from './fields.ts'
import {
  inOrder,
  integer,
  namesFilter,
  needsMachine,
  notInOrder,
  rangeFilter,
  stepFilter,
  timestamps,
} from './history.ts'
import { rentedReason } from './rented-reason.ts'

const maxBins = 200

export const pricesQuery = z
  .object({
    ...namesFilter.shape,
    ...rangeFilter.shape,
    ...stepFilter.shape,
    bins: integer('Largest number of bins per GPU name.', 'bins must be an integer')
      .refine((bins) => bins >= 1 && bins <= maxBins, { error: `bins must be between 1 and ${maxBins}` })
      .default(40),
  })
  .refine(inOrder, notInOrder)

export const gpuPrices = named('GpuPrices', {
  timestamps,
  slots: z
    .array(z.int())
    .describe('Market snapshots in the bucket; a count divided by it is a mean number of GPUs'),
  edges: z
    .array(z.number())
    .describe(
      'USD per GPU-hour, ascending. Bin i holds prices from edges[i] up to, but not including, edges[i + 1]. The first bin also holds all lower prices and the last bin all higher ones',
    ),
  available: z
    .array(z.array(z.int()))
    .describe('available[i][j]: GPUs available at prices of bin i, summed over the snapshots of bucket j'),
  rented: z
    .array(z.array(z.int().nullable()))
    .describe('The same for rented GPUs. null: their prices are not shown in bucket j'),
  rented_unpriced: z
    .array(z.int())
    .describe('Rented GPUs whose price is not shown, by bucket: all of them or none'),
  reason: z.array(rentedReason),
})
export type GpuPrices = z.infer<typeof gpuPrices>

export const pricesAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuPrices),
})
