import { z } from 'zod'

const share = z.number().nullable()

export const ownMachine = z.object({
  id: z.int(),
  gpu_name: z.string(),
  num_gpus: z.int(),
  verified: z.boolean(),
  hosting_type: z.string(),
  online: z.boolean(),
  price: z.number().nullable().describe('USD per GPU-hour of the current listing; null: not listed'),
  rented_gpus: z.int(),
  rented_price: z.number().nullable().describe('USD per GPU-hour, the mean over its rented GPUs'),
  avail_percentile: share.describe(
    'Share of the available GPUs of the same name that cost less than this price, 0 to 1; null without a price or without such GPUs',
  ),
  rented_percentile: share.describe(
    'Share of the rented GPUs of the same name that cost less than this price, 0 to 1',
  ),
})
export const machinesAnswer = z.object({
  success: z.literal(true),
  slot: z.int().describe('Unix seconds: the market snapshot that the percentiles were computed from'),
  machines: z.array(ownMachine),
})
