import { z } from 'zod'
import { day } from './durations.ts'
import { named } from './fields.ts'
import { fillRange } from './fill.ts'
import { inOrder, namesFilter, needsMachine, notInOrder } from './history.ts'
import { rentedReason } from './rented-reason.ts'

const longestRange = 31 * day

/** A range without an end ends now. Only the route knows that time. */
export const isShort = ({ start, end }: Pick<z.infer<typeof namesAndRange>, 'start' | 'end'>): boolean =>
  start === undefined || end === undefined || end - start <= longestRange
export const notShort = { error: 'start and end must be at most 31 days apart' }

const namesAndRange = z.object({ ...namesFilter.shape, ...fillRange })

export const isOneName = ({ gpu_name: [name, ...others] }: { gpu_name: string[] }): boolean =>
  others.length === 0 && name?.toLowerCase() !== 'all'
export const notOneName = { error: 'gpu_name must be one GPU name' }

/** The query string of endpoints that read each observation of one GPU name. */
export const timeToRentQuery = namesAndRange
  .refine(isOneName, notOneName)
  .refine(inOrder, notInOrder)
  .refine(isShort, notShort)

const shares = z.array(z.number())

export const gpuTimeToRent = named('GpuTimeToRent', {
  from: z.int().describe('Unix seconds: the whole hours that were observed'),
  to: z.int(),
  spells: z.int().describe('Spells: times when a machine started to have GPUs available'),
  rented: z.int().describe('Spells that ended with a rental'),
  median_hours: z
    .number()
    .nullable()
    .describe('Hours until a GPU of half of the machines is rented; null when fewer than half are'),
  hours: z.array(z.number()).describe('Ages in hours at which a machine was first rented from'),
  share: shares.describe('Share of spells that last longer without a rental (Kaplan–Meier)'),
  low: shares.describe("Lower end of Greenwood's 95 % interval"),
  high: shares,
  swept: z
    .boolean()
    .describe(
      'true: slots have not seen each machine, so rentals between two sights are missing, and waits are too long',
    ),
})
export type GpuTimeToRent = z.infer<typeof gpuTimeToRent>

export const timeToRentAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  reason: rentedReason.describe(
    '`no_rentals_known`: the source does not say which GPUs are rented, so no wait ends with a rental',
  ),
  gpus: z.record(z.string(), gpuTimeToRent),
})
