import { z } from 'zod'
import { named } from './fields.ts'
import { marketFilter } from './filter-fields.ts'
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
        'GPU names separated by commas, or `all` (default). Names that clouds use are also accepted.',
      ),
    start: rangeFilter.shape.start.describe(
      `Range start, unix seconds. With it, the answer includes prices over time, for at most ${most} GPU names. Without it, only present prices.`,
    ),
    gpu_memory: marketFilter.shape.gpu_memory,
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
  catalog: z
    .string()
    .describe('Catalog that lists the price: `gpuhunt` or `skypilot`; `simulated` in a simulated market'),
  provider: z.string().describe('Name in the catalog'),
}
const price = z.number().describe('USD per GPU-hour, of the whole instance divided by its GPUs')

export const cloudOffer = named('CloudOffer', {
  ...ofWhom,
  spot: z.boolean().describe('true: spot or interruptible; false: on demand'),
  price,
  region: z.string(),
  instance_name: z.string(),
  gpus: z.int().describe('GPUs of the instance'),
  gpu_memory: z.int().nullable().describe('GB per GPU; null: not given'),
  listed_name: z.string().describe('Name of the GPU in the catalog'),
  since: z.int().describe("Unix seconds: the catalog's first reading with this price"),
  as_of: z.int().describe("Unix seconds: the catalog's last reading with this price"),
  is_current: z
    .boolean()
    .describe('false: the catalog has not been read for two days, so the price is out of date'),
})
export type CloudOffer = z.infer<typeof cloudOffer>

const cloudSeries = z.object({
  ...ofWhom,
  spot: z.boolean(),
  prices: z
    .array(z.number().nullable())
    .describe('The lowest price at the end of each bucket. null: no price is known at that time'),
})

export const cloudGpu = named('CloudGpu', {
  cheapest: z
    .array(cloudOffer)
    .describe(
      'The cheapest offer of each provider and size of memory, on demand and spot; the lowest price first',
    ),
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
        read_at: z.int().nullable().describe('Unix seconds: time of its prices; null: never read'),
        is_current: z.boolean(),
        offers: z.int().describe('Offers with a GPU'),
        left_out: z
          .record(z.string(), z.int())
          .describe('Rows that are not offers of whole GPUs: the reason and the count'),
        left_out_rows: z
          .array(z.object({ line: z.int(), reason: z.string() }))
          .describe('The first ten invalid rows of the newest reading'),
        failures: z.int().describe('Failed readings since the last successful one'),
        problem: z.string().nullable().describe('Error of the newest reading'),
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
    .describe('Offers whose GPU name does not identify a type. They count in no other figure'),
})
