import { z } from 'zod'
import { gpusFrom1 } from './depth.ts'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder, rangeFilter } from './history.ts'

/** A price in a query string. */
export const priceField = z
  .string()
  .refine((text) => /^\d{1,6}(\.\d{1,9})?$/.test(text), {
    error: 'price must be USD per GPU-hour, such as 2.50',
  })
  .transform(Number)
  .meta({ type: 'number' })

export const availabilityQuery = z
  .object({
    ...namesFilter.shape,
    ...rangeFilter.shape,
    gpus: gpusFrom1('gpus', 'How many GPUs must be available.').default(1),
    price: priceField.describe('The highest price of each of them, USD per GPU-hour.').optional(),
    duration: z
      .enum(['yes', 'no'], { error: 'duration must be yes or no' })
      .default('yes')
      .describe(
        '`no`: the answer leaves the price duration curve empty, and has the share in a half of the time.',
      ),
  })
  .refine(inOrder, notInOrder)
  .refine(({ duration, price }) => duration === 'yes' || price !== undefined, {
    error: 'duration=no needs a price',
  })

export const gpuAvailability = named('GpuAvailability', {
  hours: z.int().describe('Hours of the range with a market snapshot'),
  share: z
    .number()
    .nullable()
    .describe(
      'Share of the hours, 0 to 1, in which at least `gpus` GPUs were available at `price` or less, on average over the hour. null without `price`, or without hours',
    ),
  duration: z
    .array(z.number().nullable())
    .describe(
      'The price duration curve. duration[i] is the lowest price at which at least `gpus` GPUs were available in at least i + 1 percent of the hours; null: at no price. Empty without hours, and with `duration=no`',
    ),
})
export type GpuAvailability = z.infer<typeof gpuAvailability>

export const availabilityAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuAvailability),
})
