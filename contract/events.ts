import { z } from 'zod'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder, rangeFilter } from './history.ts'
import { nextToken, pageSize, tokenFor } from './search.ts'

export const eventKinds = ['price_jump', 'supply_drop', 'high_occupancy', 'low_90d'] as const

/** The place of an event in a list: its time, GPU name and kind. */
const eventPlace = z.tuple([z.int().min(0).max(4_294_967_295), z.string(), z.enum(eventKinds)])
export type EventPlace = z.infer<typeof eventPlace>

export const eventsQuery = z
  .object({
    ...namesFilter.shape,
    start: rangeFilter.shape.start.describe('Range start, unix seconds. Default: seven days before `end`.'),
    end: rangeFilter.shape.end,
    limit: pageSize(1000),
    after_token: tokenFor(eventPlace),
  })
  .refine(inOrder, notInOrder)

export const marketEvent = named('MarketEvent', {
  at: z
    .int()
    .describe('Unix seconds: the first snapshot that shows the event; for `low_90d` the start of the hour'),
  gpu_name: z.string(),
  kind: z
    .enum(eventKinds)
    .describe(
      '`price_jump`: for two snapshots the available median was further from its level of the day before than twice the farthest of 28 days. `supply_drop`: a fifth of the GPUs or more left the market within an hour. `high_occupancy`: more than 95 % of the GPUs are rented. `low_90d`: the lowest hourly median of 90 days',
    ),
  value: z
    .number()
    .describe(
      'The observed value: USD per GPU-hour; for `supply_drop` GPUs; for `high_occupancy` a share, 0 to 1',
    ),
  reference: z
    .number()
    .describe(
      'The value compared with: the usual price, the GPUs an hour before, the share one snapshot before, or the lowest price before',
    ),
  limit: z.number().describe('The threshold that was crossed'),
  sample: z.int().describe('Number of values used for `reference`'),
})
export type MarketEvent = z.infer<typeof marketEvent>

export const eventsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  events: z
    .array(marketEvent)
    .describe('Newest first. Events of the same time are in order of their GPU name and kind'),
  next_token: nextToken,
})
