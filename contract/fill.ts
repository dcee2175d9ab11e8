import { z } from 'zod'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder, rangeFilter } from './history.ts'

/** A range that is widened to whole hours. */
export const fillRange = {
  start: rangeFilter.shape.start.describe('Range start, unix seconds. Default: seven days before `end`.'),
  end: rangeFilter.shape.end,
}

/** The query string of GET /api/v0/metrics/gpu/fill. */
export const fillQuery = z.object({ ...namesFilter.shape, ...fillRange }).refine(inOrder, notInOrder)

const price = z.number().nullable()
const estimate = named('FillEstimate', {
  value: z.number().nullable().describe('Per GPU-hour'),
  low: z.number().nullable().describe('Lower end of the 95 % interval'),
  high: z.number().nullable().describe('Upper end'),
})

const reason = z
  .enum(['few_rentals', 'little_exposure'])
  .nullable()
  .describe('The reason why `fill_rate` is null: fewer than 5 rentals, or less than 24 GPU-hours of exposure')

/** Counts of some available GPUs, and their rental rate. */
export const rateFields = z.object({
  price_low: price.describe('Lowest price asked, USD per GPU-hour'),
  price_high: price.describe('Highest price asked'),
  exposure_gpu_hours: z
    .number()
    .describe(
      'GPU-hours during which GPUs were available. A swept market has the part in which rentals could be seen',
    ),
  rentals: z.int().describe('GPUs that were rented'),
  withdrawn: z.int().describe('Available GPUs that were withdrawn without being rented'),
  fill_rate: estimate.describe('Rentals per GPU-hour of exposure'),
  hours_to_rent: z.number().nullable().describe('Mean hours until an available GPU is rented'),
  occupancy: z
    .number()
    .nullable()
    .describe('Share of time that a GPU is rented, from the fill rate and the return rate'),
  reason,
})

export const fillPosition = z.object({
  position: z
    .int()
    .describe(
      'Price decile among the available GPUs of the name, whatever the filters: 0 the cheapest, 9 the most expensive',
    ),
  ...rateFields.shape,
})

export const gpuFill = named('GpuFill', {
  from: z.int().describe('Unix seconds: the whole hours that were counted'),
  to: z.int(),
  slots: z.int().describe('Market snapshots in the range'),
  held_gpu_hours: z
    .number()
    .describe(
      'GPU-hours during which GPUs were rented. A swept market has the part in which returns could be seen',
    ),
  returns: z.int().describe('Rented GPUs that were returned, or left with their machine'),
  return_rate: estimate.describe('Returns per GPU-hour held; null when none was rented'),
  positions: z.array(fillPosition).describe('Price deciles in which GPUs were available'),
  all: rateFields.describe('All price deciles together'),
  reason: z
    .enum(['few_rentals', 'little_exposure', 'no_rentals_known'])
    .nullable()
    .describe('The reason of `all`, or `no_rentals_known`: the source does not say which GPUs are rented'),
})
export type GpuFill = z.infer<typeof gpuFill>

export const fillAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuFill),
})
