import { z } from 'zod'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder, rangeFilter } from './history.ts'

/** The range of answers by day. */
export const daysFilter = z.object({
  start: rangeFilter.shape.start.describe('Range start, unix seconds. Default: 90 days before `end`.'),
  end: rangeFilter.shape.end,
})

const onlyMarket = z
  .enum(['true', 'false'], { error: "market must be 'true' or 'false'" })
  .default('false')
  .describe('`true`: the index of the whole market, and no GPU names.')

export const indexQuery = z
  .object({ gpu_name: namesFilter.shape.gpu_name, market: onlyMarket, ...daysFilter.shape })
  .refine(inOrder, notInOrder)

export const days = z.array(z.int()).describe('Unix seconds, the start of each day in UTC')

const edition = z.object({
  timestamp: z.int().describe('Unix seconds: the day'),
  edition: z.int(),
  reason: z.string().describe('The reason why this vintage was published'),
  published_at: z.int().describe('Unix seconds'),
  ln_link: z.number().nullable(),
  hash: z.string(),
})

export const priceIndex = named('PriceIndex', {
  timestamps: days,
  level: z
    .array(z.number().nullable())
    .describe(
      'Index level: 100 × the price ratio to the base day, for matched machines. null: no link to the day before',
    ),
  base: z
    .array(z.int().nullable())
    .describe(
      'Unix seconds: the day on which the level was 100. Levels with another base cannot be compared',
    ),
  ln_link: z
    .array(z.number().nullable())
    .describe(
      'Natural logarithm of the price change since the day before, rounded to 1e-12. null with fewer than 20 machines, or less than 30 % of the value',
    ),
  machines: z.array(z.int()).describe('Machines that were available on this day and on the day before'),
  matched_share: z
    .array(z.number())
    .describe('Their share of the value, which is price × available GPUs: the mean of both days, 0 to 1'),
  drift: z
    .array(z.number().nullable())
    .describe(
      'Percent by which the last 28 chained links exceed the direct comparison with 28 days before. null if any of them is missing',
    ),
  edition: z.array(z.int()).describe('Number of the vintage: 1, or more when the day was published again'),
  hash: z.array(z.string()).describe('SHA-256 of the published figures'),
  revisions: z.array(edition).describe('Every vintage of the days that were published more than once'),
})
export type PriceIndex = z.infer<typeof priceIndex>

export const indexAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  market: priceIndex.nullable().describe('The whole market, with `market=true`; otherwise null'),
  gpus: z.record(z.string(), priceIndex),
})
