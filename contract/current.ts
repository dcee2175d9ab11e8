import { z } from 'zod'
import { named } from './fields.ts'
import { marketFilter, tierFilter } from './filter-fields.ts'
import { rentedReason } from './rented-reason.ts'

const count = z.int()
const price = z.number().nullable()
const figure = z.number().nullable()

/** The query string of GET /api/v0/metrics/gpu/current: the filters of the history. */
export const currentQuery = marketFilter.extend(tierFilter)

export const currentGpu = named('CurrentGpu', {
  gpu_name: z.string(),
  bucket_size: z.int().describe('GPUs per rig with `num_gpus`, otherwise 1'),
  total: count.describe('Machines on the market'),
  available: count.describe('avail_verified + avail_unverified'),
  rented_verified: count,
  avail_verified: count,
  rented_unverified: count,
  avail_unverified: count,
  total_gpus: count.describe(
    'GPUs on the market. A partly rented machine counts as both rented and available',
  ),
  available_gpus: count,
  rented_verified_gpus: count,
  avail_verified_gpus: count,
  rented_unverified_gpus: count,
  avail_unverified_gpus: count,
  usage: figure.describe('Rented GPUs in percent of all GPUs on the market'),
  usage_30d: figure.describe('Rented GPUs in percent of all GPUs, over all snapshots of the last 30 days'),
  dlperf: figure.describe('90th percentile of the deep-learning score per GPU, weighted by GPUs'),
  tflops: figure.describe('90th percentile of TFLOPS per GPU, weighted by GPUs'),
  price_p10: price.describe(
    'USD per GPU-hour of the available GPUs, as all `price_` fields: exact percentiles weighted by GPUs, nearest rank. null: none is available',
  ),
  price_p25: price,
  price_median: price,
  price_p75: price,
  price_p90: price,
  price_change_7d: figure.describe(
    'Change of price_median in percent since the snapshot seven days before; null without a snapshot within the hour before that time, or without a median then or now',
  ),
  price_thin: z
    .boolean()
    .nullable()
    .describe(
      'true: the `price_` fields come from fewer than 5 machines or fewer than 3 hosts. null: none is available',
    ),
  rented_p10: price.describe(
    "USD per GPU-hour of the rented GPUs, at their contracts' prices. null: none is rented, or they are on fewer than 5 machines or fewer than 3 hosts",
  ),
  rented_median: price,
  rented_p90: price,
  rented_thin: z.boolean().nullable().describe('The same for the `rented_` prices'),
  tflops_per_dollar: figure.describe('tflops divided by price_median'),
  dlperf_per_dollar: figure.describe('dlperf divided by price_median'),
})
export type CurrentGpu = z.infer<typeof currentGpu>

export const currentAnswer = z.object({
  success: z.literal(true),
  needs_machine: z.boolean().describe('true for a host without active machines; `gpus` is then empty'),
  slot: z.int().nullable().describe('Unix seconds: the snapshot described; null without any'),
  reason: rentedReason.describe(
    '`no_rentals_known`: the source does not say which GPUs are rented, so `usage`, `usage_30d` and prices of rented GPUs are null',
  ),
  gpus: z.array(currentGpu),
})
