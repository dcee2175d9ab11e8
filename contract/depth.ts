import { z } from 'zod'
import { named } from './fields.ts'
import { integer, isTime, namesFilter, needsMachine } from './history.ts'
import { rentedReason } from './rented-reason.ts'

const maxGpus = 1_000_000
const mostDays = 30
const daysRange = `days must be between 1 and ${mostDays}`
const atIsTime = 'at must be unix seconds'
export const gpusFrom1 = (name: string, description: string) =>
  integer(description, `${name} must be an integer`).refine((gpus) => gpus >= 1 && gpus <= maxGpus, {
    error: `${name} must be between 1 and ${maxGpus}`,
  })

export const depthQuery = z
  .object({
    ...namesFilter.shape,
    at: integer('Unix seconds: the market snapshot at or before this time. Default: the newest.', atIsTime)
      .refine(isTime, { error: atIsTime })
      .optional(),
    per_machine: gpusFrom1(
      'per_machine',
      'Available GPUs count only on machines with at least this many available GPUs.',
    ).default(1),
    gpus: gpusFrom1('gpus', 'Number of GPUs for `cheapest`. Without it, `cheapest` is null.').optional(),
    days: integer(
      'The mean order book over this many days instead of one snapshot. The days are whole steps of 6 hours, the last of which contains the snapshot.',
      daysRange,
    )
      .refine((days) => days >= 1 && days <= mostDays, { error: daysRange })
      .optional(),
  })
  .refine(({ days, gpus, per_machine }) => days === undefined || (gpus === undefined && per_machine === 1), {
    error: 'days cannot be combined with gpus or per_machine, which apply to one snapshot',
  })

const counts = z.array(z.number())

export const gpuDepth = named('GpuDepth', {
  price: z
    .array(z.number())
    .describe(
      'Every price of the available GPUs of the snapshot, or of the days, ascending, USD per GPU-hour',
    ),
  available: counts.describe('GPUs available at each price; with `days`, on average'),
  rented: z
    .object({
      price: counts.describe('Every price of the rented GPUs, ascending, USD per GPU-hour'),
      gpus: counts.describe('GPUs rented at each price; with `days`, on average'),
      unpriced: z.number().describe('Rented GPUs whose price is not shown'),
      reason: rentedReason,
    })
    .describe(
      'Rented GPUs by price: all of them where they are on at least 5 machines of at least 3 hosts, else none',
    ),
  cheapest: z
    .object({
      average_price: z.number().describe('Mean price of the cheapest `gpus` available GPUs'),
      marginal_price: z.number().describe('Price of the most expensive of them'),
    })
    .nullable()
    .describe('null without `gpus`, or when fewer are available'),
})
export type GpuDepth = z.infer<typeof gpuDepth>

export const depthAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  slot: z
    .int()
    .nullable()
    .describe(
      'Unix seconds: the snapshot described, or the end of the days; null: there is none at that time',
    ),
  gpus: z.record(z.string(), gpuDepth),
})
