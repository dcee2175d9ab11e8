import { z } from 'zod'
import { named } from './fields.ts'
import { namesFilter, needsMachine } from './history.ts'

/** Hours that are forecast. */
export const horizons = [24, 168] as const

/** Names that may be asked for: each takes some hundredths of a second. */
const mostNames = 5

export const forecastQuery = z.object({
  ...namesFilter.shape,
  gpu_name: namesFilter.shape.gpu_name.refine(
    (names) => names.length <= mostNames && !names.some((name) => name.toLowerCase() === 'all'),
    { error: `gpu_name must be at most ${mostNames} names` },
  ),
})

const record = named('ForecastRecord', {
  forecasts: z.int().describe('Hourly forecasts whose outcome is known, of the last 30 days'),
  coverage: z.number().nullable().describe('The share of outcomes that were in their band'),
  error_ratio: z
    .number()
    .nullable()
    .describe(
      'Mean error ÷ that of saying that everything stays as it is. Below 1: better. null: nothing moved',
    ),
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

export const gpuForecast = z.object({
  rented_median: z.array(figure).describe('Median price of rented GPUs, USD per GPU-hour'),
  avail_median: z.array(figure).describe('Median price of available GPUs'),
  occupancy: z.array(figure).describe('Rented GPUs ÷ GPUs on the market'),
})
export type GpuForecast = z.infer<typeof gpuForecast>

export const forecastAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuForecast),
})
