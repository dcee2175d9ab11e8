import { z } from 'zod'
import { named } from './fields.ts'

const price = z.number().nullable()

/** The prices of a GPU name that its list of offers has. */
export const offeredPrices = 5

export const offeredGpu = named('OfferedGpu', {
  gpu_name: z.string(),
  free_gpus: z.int().describe('GPUs that can be rented'),
  price_median: price.describe(
    'Median price of the free GPUs, USD per GPU-hour, weighted by GPUs. null: none is free',
  ),
  price_thin: z
    .boolean()
    .nullable()
    .describe('true: the free GPUs are on fewer than 5 machines or of fewer than 3 hosts'),
  change_1d: price.describe(
    'Change of price_median since the snapshot a day before, as a share. null without one within the hour before that time, or without a median then or now',
  ),
  change_7d: price.describe('The same since seven days before'),
  course: z
    .array(price)
    .describe(
      'price_median of the whole steps of six hours in the last seven days, oldest first. null: none was free',
    ),
  offers: z
    .array(z.object({ price: z.number().describe('USD per GPU-hour'), gpus: z.int() }))
    .describe(`The ${offeredPrices} lowest prices, lowest first, with the free GPUs at each`),
})
export type OfferedGpu = z.infer<typeof offeredGpu>

export const offersAnswer = z.object({
  success: z.literal(true),
  needs_machine: z.literal(false),
  slot: z.int().nullable().describe('Unix seconds: the snapshot described; null without any'),
  gpus: z.array(offeredGpu).describe('Most free GPUs first; types without a free GPU are listed, too'),
})
export type OffersAnswer = z.infer<typeof offersAnswer>
