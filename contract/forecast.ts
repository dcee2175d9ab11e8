import { z } from 'zod'
import { priceField } from './availability.ts'
import { gpusFrom1 } from './depth.ts'
import { named } from './fields.ts'
import { namesFilter, needsMachine } from './history.ts'

/** Horizons of forecasts, in hours. */
export const horizons = [24, 168] as const

/** The default number of GPUs: a whole rig. */
export const usualGpus = 8

/** Most names in a request: each takes some hundredths of a second. */
const mostNames = 5

export const forecastQuery = z.object({
  ...namesFilter.shape,
  gpu_name: namesFilter.shape.gpu_name.refine(
    (names) => names.length <= mostNames && !names.some((name) => name.toLowerCase() === 'all'),
    { error: `gpu_name must be at most ${mostNames} names` },
  ),
  gpus: gpusFrom1('gpus', 'Number of GPUs for `probability`.').default(usualGpus),
  price: priceField
    .describe('The highest price of each of them, USD per GPU-hour. Default: the median available price now')
    .optional(),
})

const recordFields = {
  forecasts: z.int().describe('Hourly forecasts whose outcome is known, of the last 30 days'),
  coverage: z.number().nullable().describe('Share of outcomes that fell within their band'),
  error_ratio: z
    .number()
    .nullable()
    .describe(
      'Mean error ÷ mean error of a forecast of no change. Below 1: better than no change. null: the figure did not change',
    ),
}
const record = named('ForecastRecord', recordFields)
const availabilityRecord = named('AvailabilityRecord', {
  ...recordFields,
  probability: z.number().nullable().describe('Mean of the forecast probabilities'),
  met: z
    .number()
    .nullable()
    .describe(
      'Share of outcomes with at least `gpus` GPUs. The probabilities are well calibrated when it is near their mean',
    ),
})

const figure = named('ForecastFigure', {
  hours: z.int().describe('Hours ahead: 24 or 168'),
  at: z
    .int()
    .nullable()
    .describe('Unix seconds: start of the hour that is forecast. null: the GPU type was never seen'),
  now: z.number().nullable().describe('The figure in the newest whole hour'),
  value: z
    .number()
    .nullable()
    .describe(
      'The forecast. null: fewer than seven days of outcomes are known, or the present value is unknown',
    ),
  low: z.number().nullable().describe('Lower end of the 80 % band'),
  high: z.number().nullable().describe('Upper end of the 80 % band'),
  record: record.describe('Accuracy of such forecasts, each computed again from the hours before it only'),
  kept: record.describe(
    'Accuracy of forecasts as stored when they were made, without other filters than `verified`',
  ),
})

const availableFigure = z.object({
  ...figure.shape,
  probability: z
    .number()
    .nullable()
    .describe(
      'Probability that at least `gpus` GPUs are available at `price` or less, on average over the hour',
    ),
  record: availabilityRecord.describe(
    'Accuracy of such forecasts, each computed again from the hours before it only',
  ),
  kept: availabilityRecord.describe(
    `Accuracy of forecasts as stored when they were made, for ${usualGpus} GPUs at the median price of that time`,
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
        .describe(
          'The requested price, otherwise the median available price of the newest hour that has one',
        ),
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
