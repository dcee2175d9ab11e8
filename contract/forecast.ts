import { z } from 'zod'
import { priceField } from './availability.ts'
import { gpusFrom1 } from './depth.ts'
import { named } from './fields.ts'
import { namesFilter, needsMachine } from './history.ts'

/** Hours that are forecast. */
export const horizons = [24, 168] as const

/** How many GPUs are asked for unless another number is: a whole rig. */
export const usualGpus = 8

/** Names that may be asked for: each takes some hundredths of a second. */
const mostNames = 5

export const forecastQuery = z.object({
  ...namesFilter.shape,
  gpu_name: namesFilter.shape.gpu_name.refine(
    (names) => names.length <= mostNames && !names.some((name) => name.toLowerCase() === 'all'),
    { error: `gpu_name must be at most ${mostNames} names` },
  ),
  gpus: gpusFrom1('gpus', 'How many GPUs `probability` is about.').default(usualGpus),
  price: priceField
    .describe('USD per GPU-hour that each of them may cost at most. Default: the median available price now')
    .optional(),
})

const recordFields = {
  forecasts: z.int().describe('Hourly forecasts whose outcome is known, of the last 30 days'),
  coverage: z.number().nullable().describe('The share of outcomes that were in their band'),
  error_ratio: z
    .number()
    .nullable()
    .describe(
      'Mean error ÷ that of saying that everything stays as it is. Below 1: better. null: nothing moved',
    ),
}
const record = named('ForecastRecord', recordFields)
const availabilityRecord = named('AvailabilityRecord', {
  ...recordFields,
  probability: z.number().nullable().describe('The mean of the probabilities that were told'),
  met: z
    .number()
    .nullable()
    .describe('The share of outcomes with so many GPUs. Probabilities are good when it is near their mean'),
})

const figure = z.object({
  hours: z.int().describe('How far ahead: 24 or 168'),
  at: z
    .int()
    .nullable()
    .describe('Unix seconds: start of the hour that is forecast. null: the GPU type was never seen'),
  now: z.number().nullable().describe('The figure in the newest whole hour'),
  value: z
    .number()
    .nullable()
    .describe('The forecast. null: fewer than seven days of outcomes are known, or the present value is not'),
  low: z.number().nullable().describe('Lower end of the 80 % band'),
  high: z.number().nullable().describe('Upper end of the 80 % band'),
  record: record.describe('How such forecasts fare, each made again from the hours before it alone'),
  kept: record.describe(
    'The same of those that were stored when they were made, without `hosting_type` and `num_gpus`',
  ),
})

const availableFigure = z.object({
  ...figure.shape,
  probability: z
    .number()
    .nullable()
    .describe('How likely at least `gpus` GPUs are available at `price` or less, on average over the hour'),
  record: availabilityRecord.describe(
    'How such forecasts fare, each made again from the hours before it alone',
  ),
  kept: availabilityRecord.describe(
    `The same of those that were stored when they were made: of ${usualGpus} GPUs at the median price of that time`,
  ),
})

export const gpuForecast = z.object({
  rented_median: z.array(figure).describe('Median price of rented GPUs, USD per GPU-hour'),
  avail_median: z.array(figure).describe('Median price of available GPUs'),
  occupancy: z.array(figure).describe('Rented GPUs ÷ GPUs on the market'),
  available: z
    .object({
      gpus: z.int(),
      price: z
        .number()
        .nullable()
        .describe('What was asked for, else the median available price of the newest hour that has one'),
      figures: z.array(availableFigure),
    })
    .describe('GPUs available at `price` or less, on average over the hour'),
})
export type GpuForecast = z.infer<typeof gpuForecast>

export const forecastAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuForecast),
})
