import { z } from 'zod'
import { named } from './fields.ts'

const byDays = (value: z.ZodType<number, number>) => z.object({ '1d': value, '7d': value, '30d': value })

/** A machine as the source's marketplace reports it to its host's key. */
export const marketplaceTold = named('MarketplaceTold', {
  read_at: z.int().describe('Unix seconds: when the marketplace showed the machine to the key'),
  listed: z.boolean().nullable(),
  price: z.number().nullable().describe('Asking price, USD per GPU-hour'),
  min_bid: z.number().nullable().describe('Lowest price of an interruptible rental, USD per GPU-hour'),
  occupancy: z
    .string()
    .nullable()
    .describe('A letter for each GPU: D on demand, R reserved, I interruptible, x or - free'),
  rented: z
    .object({
      on_demand: z.int(),
      reserved: z.int(),
      interruptible: z.int(),
      free: z.int(),
      other: z.int().describe('Letters that are not known'),
    })
    .nullable()
    .describe('The letters of `occupancy`, counted'),
  rented_until: z
    .int()
    .nullable()
    .describe('Unix seconds: when the last running contract ends. null: none, or not shown'),
  earn_hour: z.number().nullable().describe('USD per hour that the machine earns now, by its contracts'),
  earned: z
    .object({
      usd: byDays(z.number()).describe(
        'Actual earnings from GPUs, storage and traffic on the last 1, 7 and 30 whole days (UTC)',
      ),
      days: byDays(z.int()).describe('Number of these days that are known'),
      until: z.int().describe('Unix seconds: the end of the last of these days'),
      read_at: z.int().describe('Unix seconds: when the marketplace reported this'),
    })
    .nullable()
    .describe('null: not read yet'),
})
export type MarketplaceTold = z.infer<typeof marketplaceTold>
