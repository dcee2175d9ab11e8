import { z } from 'zod'
import { named } from './fields.ts'
import { rateFields } from './fill.ts'
import { needsMachine } from './history.ts'
import { tiers } from './market-filter.ts'
import { rentedReason } from './rented-reason.ts'

/** Groups of listings by the days until they end: from each of these to the next, and from the last one on. */
export const daysLeftFrom = [0, 7, 30, 90] as const

const rated = {
  ...rateFields.shape,
  return_rate: rateFields.shape.fill_rate.describe('Returns per GPU-hour held'),
}

export const gpuFillByTerms = named('GpuFillByTerms', {
  from: z.int().describe('Unix seconds: the whole hours that were observed'),
  to: z.int(),
  slots: z.int().describe('Market snapshots in the range'),
  left_out: z
    .object({ min_gpus: z.boolean(), days_left: z.boolean(), tiers: z.boolean() })
    .describe('true: groups are left out, because they have fewer than 5 machines or fewer than 3 hosts'),
  min_gpus: z
    .array(
      z.object({
        min_gpus: z.int().nullable().describe('Fewest GPUs that can be rented at once; null: not known'),
        ...rated,
      }),
    )
    .describe('By the fewest GPUs that can be rented at once'),
  days_left: z
    .array(
      z.object({
        from_days: z
          .int()
          .nullable()
          .describe('Days until the listing ends: at least this many; null: not known'),
        to_days: z.int().nullable().describe('Fewer than this many; null: no limit, or not known'),
        ...rated,
      }),
    )
    .describe('By the days that were left until the listing ends'),
  tiers: z
    .array(z.object({ tier: z.enum(tiers).describe('The tier of the host'), ...rated }))
    .describe('By tier of the host. `verified=all` compares all tiers'),
})
export type GpuFillByTerms = z.infer<typeof gpuFillByTerms>

export const fillByTermsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  reason: rentedReason.describe(
    '`no_rentals_known`: the source does not say which GPUs are rented, so rates are null',
  ),
  gpus: z.record(z.string(), gpuFillByTerms),
})
