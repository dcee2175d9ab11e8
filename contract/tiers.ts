import { z } from 'zod'
import { named } from './fields.ts'
import { namesFilter, needsMachine, rangeFilter } from './history.ts'
import { tiers } from './market-filter.ts'
import { rentedReason } from './rented-reason.ts'

const { verified: _, tier: __, ...filters } = namesFilter.shape
export const tiersQuery = z.object({ ...filters, ...rangeFilter.shape })

const price = z.number().nullable()

export const tierFigures = named('TierFigures', {
  tier: z.enum(tiers),
  machines: z.int().describe('Machines in the last slot of the range'),
  gpus: z.int().describe('Their GPUs'),
  rented_gpus: z.int().nullable(),
  occupancy: z
    .number()
    .nullable()
    .describe('Rented ÷ all GPUs over the slots of the range. null: there were none'),
  rented_median: price.describe(
    'USD per GPU-hour of rented GPUs over the range. null: none, or the own market, whose contract prices are not answered by tier',
  ),
  avail_p10: price.describe('USD per GPU-hour of available GPUs over the range'),
  avail_median: price,
  avail_p90: price,
  premium: z
    .number()
    .nullable()
    .describe('avail_median ÷ the one of verified machines − 1. null: one of them is missing'),
})

export const tiersAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  reason: rentedReason.describe(
    '`no_rentals_known`: the source does not say which GPUs are rented, so figures of rented GPUs are null',
  ),
  gpus: z.record(z.string(), z.array(tierFigures)),
})
