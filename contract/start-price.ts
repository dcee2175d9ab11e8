import { z } from 'zod'
import { grades, obstacles } from './advice-kinds.ts'
import { marketFilter } from './filter-fields.ts'
import { askedName, normalName } from './gpu-names.ts'
import { estimate } from './machine-estimate.ts'
import { wait } from './price-advice.ts'

/** The query string of GET /api/v0/metrics/machines/start. */
export const startQuery = z.object({
  gpu_name: z
    .string({ error: 'gpu_name must be one GPU name' })
    .transform(normalName)
    .refine((name) => askedName.test(name), { error: 'gpu_name must be one GPU name' })
    .describe('GPU name of the new machine.'),
  ...marketFilter.shape,
})

export const startAnswer = z.object({
  success: z.literal(true),
  slot: z.int().describe('Unix seconds: the newest market snapshot'),
  machine: z
    .object({
      gpu_name: z.string(),
      num_gpus: z.int().describe('`all`: 1'),
      gpu_memory: z.int().describe('GB per GPU; 0: not given'),
      verified: z.boolean().describe('`all`: not verified, as new machines are'),
      hosting_type: z.string().describe('`all`: unknown'),
    })
    .describe('The machine that the price is for'),
  price: z.number().nullable().describe('The price to begin with, USD per GPU-hour; null: unknown'),
  grade: z.enum(grades).nullable().describe('As `grade` of the advice on own machines'),
  basis: z.enum(['net', 'gross']).describe('`net`: `income_per_day` is after power and fee'),
  income_per_day: estimate.describe('Income of a day at this price in the long run, USD'),
  wait: wait.nullable().describe('Time until the first rental at this price'),
  step: z
    .object({
      after_hours: z
        .number()
        .describe('Hours without a rental: four of five such machines are rented by then'),
      price: z.number().describe('The price to ask then'),
    })
    .nullable()
    .describe('The step down if it is still free. null: no lower price is known'),
  obstacle: z.enum(obstacles).nullable().describe('The reason why there is no price'),
  reason: z.string().describe('The same as sentences'),
})
export type StartAnswer = z.infer<typeof startAnswer>
