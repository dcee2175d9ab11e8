import { z } from 'zod'
import { named } from './fields.ts'
import { type MarketFilter, marketFilter, tierFilter } from './filter-fields.ts'
import { askedName, normalName } from './gpu-names.ts'
import { countFigures, priceFigures } from './history-figures.ts'
import { recordOf } from './records.ts'

const integersOnly = 'start, end, and step must be integers'
const maxNames = 200
/** 2100-01-01. Times in milliseconds are beyond it. */
const maxTime = 4_102_444_800

// Digits in a query string, as a number. '', '1e3' and '0x10' are refused.
export const integer = (description: string, error = integersOnly) =>
  z
    .string({ error })
    .refine((text) => /^-?\d{1,19}$/.test(text), { error, abort: true })
    .transform(Number)
    .meta({ type: 'integer', description })

export const isTime = (seconds: number): boolean => seconds >= 0 && seconds <= maxTime
const time = (description: string) =>
  integer(description).refine(isTime, {
    error: `start and end must be unix seconds between 0 and ${maxTime}`,
  })

const gpuNames = z
  .string({ error: 'gpu_name must be given once' })
  .max(20_000, { error: 'gpu_name is too long', abort: true })
  .transform((text) => [...new Set(text.split(',').map(normalName).filter(Boolean))])
  .refine((names) => names.length > 0, { error: 'gpu_name is required', abort: true })
  .refine((names) => names.length <= maxNames, {
    error: `gpu_name must not list more than ${maxNames} names`,
    abort: true,
  })
  .refine((names) => names.every((name) => askedName.test(name)), {
    error: 'gpu_name must be GPU names of letters, digits, spaces and ./+()-_, separated by commas',
  })
  .meta({
    type: 'string',
    description:
      'GPU names separated by commas, or `all`. Case does not matter, and `_` matches a space. Unknown names return empty series. ' +
      `At most ${maxNames}. /api/v0/metrics/gpu/names lists the known names.`,
    example: 'RTX 4090,H100 SXM',
  })

/** The requested GPU names, and filters of machines. */
export const namesFilter = z.object({
  gpu_name: gpuNames.prefault('RTX 5090,RTX 4090,RTX 3090'),
  ...marketFilter.shape,
  ...tierFilter,
})

/** The requested range. */
export const rangeFilter = z.object({
  start: time('Range start, unix seconds. Default: a day before `end`.').optional(),
  end: time('Range end, unix seconds. Default: now.').optional(),
})

export const stepFilter = z.object({
  step: integer(
    'Seconds between points. Default: about a 500th of the range. A step that would give too many points is raised. Buckets begin at multiples of the step since 1970-01-01 00:00 UTC, so those of a week begin on Thursday.',
  )
    .refine((step) => step >= 1 && step <= 31_536_000, {
      error: 'step must be between 1 second and 31536000 (a year)',
    })
    .optional(),
})

/** A range without an end ends now. Only the route knows that time, so it compares. */
export const inOrder = ({ start, end }: z.infer<typeof rangeFilter>): boolean =>
  start === undefined || end === undefined || start <= end
export const notInOrder = { error: 'start must be <= end' }

/** The query string of GET /api/v0/metrics/gpu/history. Unknown parameters are ignored. */
export const historyQuery = z
  .object({ ...namesFilter.shape, ...rangeFilter.shape, ...stepFilter.shape })
  .refine(inOrder, notInOrder)

/** The parameters that decide names, filter, range and step. */
export type SeriesQuery = MarketFilter &
  Pick<z.infer<typeof namesFilter>, 'gpu_name'> &
  z.infer<typeof rangeFilter> &
  Partial<z.infer<typeof stepFilter>>

const counts = z.array(z.int())
const prices = z.array(z.number().nullable())
export const timestamps = z.array(z.int()).describe('Unix seconds, the start of each bucket')

const supplyDemand = z.object({
  timestamps,
  bucket_size: z.int().describe('GPUs per rig with `num_gpus`, otherwise 1'),
  ...recordOf(countFigures, () => counts),
  total: counts.describe('Machines on the market at the last snapshot of each bucket'),
  available: counts.describe('avail_verified + avail_unverified'),
  total_gpus: counts.describe('GPUs. A partly rented machine counts as both rented and available'),
})

const pricing = z
  .object({ timestamps, ...recordOf(priceFigures, () => prices) })
  .describe(
    'USD per GPU-hour: exact percentiles over all snapshots in the bucket, weighted by GPUs, nearest rank. null: no GPU in this state in the bucket.',
  )

const stats = z
  .object({
    tflops: z
      .number()
      .nullable()
      .describe('90th percentile of TFLOPS per GPU at the last snapshot of the range'),
    dlperf: z.number().nullable().describe('90th percentile of the deep-learning score per GPU'),
    tflops_per_dollar: z
      .number()
      .nullable()
      .describe("tflops divided by that snapshot's median available price; null without available GPUs"),
    dlperf_per_dollar: z.number().nullable(),
  })
  .describe('Over the machines that match the filters, at the last snapshot of the range')

export const gpuHistory = named('GpuHistory', { supply_demand: supplyDemand, pricing, stats })
export type GpuHistory = z.infer<typeof gpuHistory>

export const needsMachine = z
  .boolean()
  .describe(
    'true for a host without active machines that claims none in this market either; `gpus` is then empty',
  )

export const historyAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuHistory),
})
