import { z } from 'zod'
import { day } from './durations.ts'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder, rangeFilter } from './history.ts'
import { isOneName, notOneName } from './time-to-rent.ts'

/** Days of the range without a start. */
export const usualDays = 28
/** The most days of a range. */
const mostDays = 92

/** A range without an end ends now. Only the route knows that time. */
export const isShort = ({ start, end }: { start?: number | undefined; end?: number | undefined }): boolean =>
  start === undefined || end === undefined || end - start <= mostDays * day
export const notShort = { error: `start and end must be at most ${mostDays} days apart` }

/** The query string of GET /api/v0/metrics/gpu/rental-hours. */
export const rentalHoursQuery = z
  .object({
    ...namesFilter.shape,
    start: rangeFilter.shape.start.describe(
      `Range start, unix seconds. Default: ${usualDays} days before \`end\`. Only whole days (UTC) within the range count.`,
    ),
    end: rangeFilter.shape.end,
  })
  .refine(isOneName, notOneName)
  .refine(inOrder, notInOrder)
  .refine(isShort, notShort)

const ratio = {
  value: z.number(),
  low: z.number().describe('Lower end of the 95 % interval'),
  high: z.number(),
}

const hoursOfDay = z.object({
  from: z.int().describe('First hour of the day, UTC'),
  to: z.int().describe('The hour at which they end, after midnight if it is below `from`'),
  ...ratio,
})

export const gpuRentalHours = named('GpuRentalHours', {
  from: z.int().describe('Unix seconds: the whole days (UTC) that were counted'),
  to: z.int(),
  rentals: z.int().describe('GPUs that were rented'),
  exposure_gpu_hours: z.number().describe('GPU-hours during which GPUs were available'),
  fill_rate: z
    .number()
    .nullable()
    .describe('Rentals per GPU-hour of exposure, of all hours; null without exposure'),
  reason: z
    .enum([
      'no_rentals_known',
      'little_exposure',
      'short_range',
      'rare_sights',
      'few_rentals',
      'no_pattern_found',
    ])
    .nullable()
    .describe(
      'The reason why `pattern` is null. `no_pattern_found`: hours do not differ more than by chance. `few_rentals`: fewer than 200 independent rentals. ' +
        '`short_range`: fewer than 14 days, four of them at weekends, or fewer than 7 days with free GPUs at each hour. `little_exposure`: less than 24 GPU-hours. ' +
        '`rare_sights`: more than an hour between two sights of a machine. `no_rentals_known`: the source does not say which GPUs are rented',
    ),
  p_value: z
    .number()
    .nullable()
    .describe('Probability of such differences if hours did not differ; null if it was not computed'),
  pattern: z
    .object({
      ratio: z
        .array(z.number())
        .describe(
          'Rate of rentals of each hour of the week ÷ mean of the week: 168 hours from Monday 0:00 UTC on',
        ),
      low: z.array(z.number()).describe('Lower ends of their 95 % intervals'),
      high: z.array(z.number()),
      busiest: hoursOfDay.describe('The six hours of the day with the highest rate ÷ mean'),
      quietest: hoursOfDay.describe('The six hours of the day with the lowest rate ÷ mean'),
      weekend: z.object(ratio).describe('Rate on Saturday and Sunday (UTC) ÷ rate on other days'),
    })
    .nullable()
    .describe('null unless hours differ significantly (5 %)'),
})
export type GpuRentalHours = z.infer<typeof gpuRentalHours>

export const rentalHoursAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuRentalHours),
})
export type RentalHoursAnswer = z.infer<typeof rentalHoursAnswer>
