import { z } from 'zod'
import { costFields } from './cost-fields.ts'
import { named } from './fields.ts'
import { integer } from './history.ts'

/** Pricing rules: a constant price, a percentile of the class, or a price that drops while the machine is idle. */
export const replayRules = ['hold', 'follow', 'drop'] as const

/** Reasons why there is no replay. */
export const noReplays = [
  ...(['not_seen', 'too_new', 'not_listed'] as const),
  ...(['few_in_class', 'few_as_dear', 'few_rentals'] as const),
] as const
export type NoReplay = (typeof noReplays)[number]

const mostDays = 30

const whole = (name: string, [least, most]: [number, number], description: string) => {
  const error = `${name} must be between ${least} and ${most}`
  return integer(description, error).refine((value) => value >= least && value <= most, { error })
}

/** The query string of GET /api/v0/metrics/machines/{id}/replay. */
export const replayQuery = z.object({
  days: whole('days', [1, mostDays], 'Number of days, up to the newest whole hour.').default(7),
  rule: z
    .enum(replayRules, { error: "rule must be 'hold', 'follow', or 'drop'" })
    .default('hold')
    .describe(
      '`hold`: asks `price` all the time. `follow`: each hour asks the `percentile` of the available GPUs of its class in the hour before. `drop`: starts at `price` and asks `drop` percent less for each day without a rental, but never less than the floor; after a rental it asks `price` again',
    ),
  price: z
    .string()
    .refine((text) => /^\d{1,6}(\.\d{1,9})?$/.test(text) && Number(text) > 0, {
      error: 'price must be USD per GPU-hour, such as 2.50',
    })
    .transform(Number)
    .meta({
      type: 'number',
      description: 'USD per GPU-hour. Default: its first asking price in these days. `follow` ignores it.',
    })
    .optional(),
  percentile: whole('percentile', [1, 99], 'Of `follow`.').default(40),
  drop: whole('drop', [1, 50], 'Percent per day, for `drop`.').default(5),
})

export const replayEstimate = named('ReplayEstimate', {
  value: z.number().describe('The mean of the draws'),
  low: z.number(),
  high: z.number(),
}).describe('With the interval that holds 80 % of the draws')

const figures = {
  worst_day: 'USD earned on the worst whole day; null: there is none',
  idle_days: 'Days in which none of its GPUs was rented, counted by the hour',
  occupancy: 'The share of its GPU-hours that were rented, 0 to 1',
  net: 'USD after the known costs; null: none was entered',
}

export const replayAnswer = named('MachineReplay', {
  success: z.literal(true),
  from: z.int().describe('Unix seconds: start of the first hour that is replayed'),
  to: z.int().describe('Unix seconds: end of the last one'),
  covered_seconds: z
    .int()
    .describe('Replayed share of the days: hours with a snapshot, from when the machine was first seen'),
  asked: z
    .object({
      rule: z.enum(replayRules),
      price: z.number().nullable().describe('The starting price of the rule; null: unknown'),
      percentile: z.int().nullable(),
      drop: z.int().nullable(),
    })
    .describe('The rule that is replayed'),
  expected: z
    .object({
      earned: replayEstimate.describe('USD'),
      deciles: z.array(z.number()).describe('Deciles of the draws in USD: the 10th, 20th, … 90th percentile'),
      worst_day: replayEstimate.nullable().describe(figures.worst_day),
      idle_days: replayEstimate.describe(figures.idle_days),
      occupancy: replayEstimate.describe(figures.occupancy),
      net: replayEstimate.nullable().describe(figures.net),
    })
    .nullable()
    .describe('Simulated income; null: `missing` has the reason'),
  actual: z
    .object({
      earned: z.number().describe('USD'),
      worst_day: z.number().nullable().describe(figures.worst_day),
      idle_days: z.number().describe(figures.idle_days),
      occupancy: z.number().describe(figures.occupancy),
      net: z.number().nullable().describe(figures.net),
    })
    .nullable()
    .describe('Actual income in the same hours'),
  unknown_costs: z.array(z.enum(costFields)).describe('Unknown costs, left out of `net`'),
  missing: z
    .enum(noReplays)
    .nullable()
    .describe(
      'The reason why there is no replay: not on the market in these days, or for less than a day; no price; no other machine of its class; a price that hardly any GPU has; or too few rentals to know the fill rate',
    ),
  reason: z.string().describe('The result as a sentence; without a result, the missing data and a next step'),
})
export type MachineReplay = z.infer<typeof replayAnswer>
