import { z } from 'zod'
import { named } from './fields.ts'
import { marketFilter, tierFilter } from './filter-fields.ts'
import { askedName, normalName } from './gpu-names.ts'
import { needsMachine } from './history.ts'
import { rentedReason } from './rented-reason.ts'

/** The query string of GET /api/v0/metrics/gpu/places. */
export const placesQuery = z.object({
  gpu_name: z
    .string({ error: 'gpu_name must be given once' })
    .transform(normalName)
    .refine((name) => askedName.test(name), { error: 'gpu_name must be one GPU name, or all' })
    .meta({
      type: 'string',
      description: 'One GPU name, or `all`. With `all`, prices are null: they would compare different GPUs.',
      example: 'RTX 4090',
    })
    .prefault('all'),
  by: z
    .enum(['country', 'region'], { error: "by must be 'country' or 'region'" })
    .default('country')
    .describe('Places to compare: countries, or regions of several countries.'),
  ...marketFilter.shape,
  ...tierFilter,
})

const share = z.number().nullable()

export const marketPlace = named('MarketPlace', {
  place: z
    .string()
    .describe(
      'ISO 3166 alpha-2 code of the country, or the name of the region. Empty: machines without a known country and, in a market of the site itself, machines of places with fewer than 5 machines or 3 hosts',
    ),
  machines: z.int().describe('Machines of the newest snapshot'),
  gpus: z.int(),
  available_gpus: z.int(),
  gpus_before: z
    .int()
    .nullable()
    .describe(
      'GPUs 30 days before the newest snapshot; null: no snapshot is within the hour before that time',
    ),
  occupancy: share.describe(
    'Rented GPUs ÷ all GPUs, 0 to 1, of these machines over the newest snapshot and the seven whole days before it. null: unknown, or fewer than 5 machines or 3 hosts',
  ),
  usual_occupancy: share.describe('The same for machines of the same GPU types in all places'),
  rented_median: z
    .number()
    .nullable()
    .describe(
      'Median price of the rented GPUs, USD per GPU-hour. null: `gpu_name` is `all`, none is rented, or they are on fewer than 5 machines or 3 hosts',
    ),
  avail_median: z.number().nullable().describe('Median price of the available GPUs'),
})
export type MarketPlace = z.infer<typeof marketPlace>

export const placesAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  slot: z.int().nullable().describe('Unix seconds: the snapshot described; null without any'),
  reason: rentedReason.describe(
    '`no_rentals_known`: the source does not say which GPUs are rented, so occupancy and prices of rented GPUs are null',
  ),
  occupancy: share.describe('Occupancy of all places together'),
  places: z.array(marketPlace).describe('Largest number of GPUs first'),
})
export type PlacesAnswer = z.infer<typeof placesAnswer>
