import { z } from 'zod'
import { named } from './fields.ts'
import {
  inOrder,
  namesFilter,
  needsMachine,
  notInOrder,
  rangeFilter,
  stepFilter,
  timestamps,
} from './history.ts'

const most = 20

export const listPricesQuery = z
  .object({
    gpu_name: namesFilter.shape.gpu_name
      .prefault('all')
      .describe(
        'GPU names separated by commas, or `all`, the default. Names that clouds use are understood, too.',
      ),
    start: rangeFilter.shape.start.describe(
      `Range start, unix seconds: the answer has the prices over time, of at most ${most} GPU names. Without: prices now only.`,
    ),
    end: rangeFilter.shape.end,
    step: stepFilter.shape.step.describe(
      'Seconds between points. Default: about a 200th of the range. A step that would give too many points is raised.',
    ),
  })
  .refine(inOrder, notInOrder)
  .refine(
    ({ start, gpu_name }) => start === undefined || (gpu_name.length <= most && gpu_name[0] !== 'all'),
    {
      error: `With start, gpu_name must list at most ${most} names`,
    },
  )

const ofWhom = {
  catalog: z.string().describe('Who tells the price: `gpuhunt` or `skypilot`'),
  provider: z.string().describe('As the catalog names it'),
}
const price = z.number().describe('USD per GPU-hour, of the whole instance divided by its GPUs')

export const cloudOffer = named('CloudOffer', {
  ...ofWhom,
  spot: z.boolean().describe('Spot or interruptible; else on demand'),
  price,
  region: z.string(),
  instance_name: z.string(),
  gpus: z.int().describe('GPUs of the instance'),
  gpu_memory: z.int().nullable().describe('GB per GPU; null: not told'),
  listed_name: z.string().describe('The GPU as the catalog names it'),
  since: z.int().describe('Unix seconds: when the catalog first had this price'),
  as_of: z.int().describe('Unix seconds: when the catalog last had it'),
  is_current: z
    .boolean()
    .describe('false: the catalog was not read for two days, so the price is of the past'),
})
export type CloudOffer = z.infer<typeof cloudOffer>

const cloudSeries = z.object({
  ...ofWhom,
  spot: z.boolean(),
  prices: z
    .array(z.number().nullable())
    .describe('The lowest price at the end of each bucket. null: none is known of that time'),
})

export const cloudGpu = named('CloudGpu', {
  cheapest: z
    .array(cloudOffer)
    .describe('The cheapest offer of each provider, on demand and spot; the lowest price first'),
  timestamps: timestamps.describe('Unix seconds; empty without `start`'),
  series: z.array(cloudSeries).describe('Empty without `start`'),
})
export type CloudGpu = z.infer<typeof cloudGpu>

export const listPricesAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  catalogs: z
    .array(
      z.object({
        ...ofWhom,
        read_at: z
          .int()
          .nullable()
          .describe('Unix seconds: the time that its prices are of; null: never read'),
        is_current: z.boolean(),
        offers: z.int().describe('With a GPU'),
        left_out: z
          .record(z.string(), z.int())
          .describe('Rows that are no offer of whole GPUs: why, and how many'),
        failures: z.int().describe('Readings since the last good one'),
        problem: z.string().nullable().describe('Why the newest reading failed'),
      }),
    )
    .describe('Every provider of every catalog'),
  gpus: z.record(z.string(), cloudGpu),
  unmapped: z
    .array(
      z.object({
        ...ofWhom,
        listed_name: z.string(),
        gpu_memory: z.int().nullable(),
        offers: z.int(),
        cheapest: price,
      }),
    )
    .describe('Offers of GPUs whose name does not say which type they are. They are in no other figure'),
})
