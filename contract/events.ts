import { z } from 'zod'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder, rangeFilter } from './history.ts'

export const eventsQuery = z
  .object({
    ...namesFilter.shape,
    start: rangeFilter.shape.start.describe('Range start, unix seconds. Default: seven days before `end`.'),
    end: rangeFilter.shape.end,
  })
  .refine(inOrder, notInOrder)

export const eventKinds = ['price_jump', 'supply_drop', 'high_occupancy', 'low_90d'] as const

export const marketEvent = named('MarketEvent', {
  at: z
    .int()
    .describe('Unix seconds: the snapshot at which it was first so; for `low_90d` the start of the hour'),
  gpu_name: z.string(),
  kind: z
    .enum(eventKinds)
    .describe(
      '`price_jump`: the available median is far from what is usual at that hour, for two snapshots. `supply_drop`: a fifth of the GPUs or more left the market within an hour. `high_occupancy`: more than 95 % of the GPUs are rented. `low_90d`: the lowest hourly median of 90 days',
    ),
  value: z
    .number()
    .describe(
      'What was seen: USD per GPU-hour; for `supply_drop` GPUs; for `high_occupancy` a share of 0 to 1',
    ),
  reference: z
    .number()
    .describe(
      'What it is compared with: the usual price, the GPUs an hour before, the share one snapshot before, the lowest price before',
    ),
  limit: z.number().describe('The bound that was crossed'),
  sample: z.int().describe('How many values `reference` comes from'),
})
export type MarketEvent = z.infer<typeof marketEvent>

export const eventsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  events: z.array(marketEvent).describe('Newest first, at most 1,000'),
})
