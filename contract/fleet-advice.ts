import { z } from 'zod'
import { verdicts } from './advice-kinds.ts'
import { named } from './fields.ts'
import { estimate } from './machine-estimate.ts'

/** The most machines of an account whose prices are advised together. */
export const mostTogether = 10_000

const effect = z
  .number()
  .describe(
    'The part of `gain_per_day` at machines that renters choose instead of another own one; negative: own machines take renters from each other. 0: no change matters to another own machine',
  )
const sum = estimate.describe(
  'Additional income of a day after all changes, USD: the mean of the sum, with the 95 % interval of the sum. null: there is no change',
)

export const fleetChange = named('FleetChange', {
  machine_id: z.int(),
  gpu_name: z.string(),
  num_gpus: z.int(),
  verdict: z.enum(verdicts).describe('`raise`, `lower` or `try`'),
  basis: z.enum(['net', 'gross']),
  price: z.number().describe('The present price, USD per GPU-hour'),
  advised: z.number().describe('The price to ask now'),
  gain_per_day: estimate.describe('The gain of this change alone, USD a day'),
})

export const fleetType = named('FleetType', {
  gpu_name: z.string(),
  gpu_memory: z.int().describe('GB per GPU; 0: not known'),
  machines: z.int().describe('Own machines with an estimate, which are planned together'),
  changes: z.int(),
  held: z
    .array(z.int())
    .describe('Machines that keep their price, because a lower one would take as much from other own ones'),
  gain_per_day: sum,
  effect_per_day: effect,
})

export const fleetAdviceAnswer = z.object({
  success: z.literal(true),
  slot: z.int().describe('Unix seconds: the newest market snapshot'),
  machines: z.int().describe(`Machines of the account, at most ${mostTogether}`),
  offline: z.int().describe('The ones among them that are offline'),
  pending: z
    .int()
    .describe(
      'The ones among them whose prices are still being planned. They have no part in the other figures yet: a request some seconds later has them',
    ),
  basis: z
    .enum(['net', 'gross', 'mixed'])
    .describe(
      '`net`: gains are after power and fee; `gross`: before them; `mixed`: after them where they are known',
    ),
  gain_per_day: sum,
  effect_per_day: effect,
  changes: z.array(fleetChange).describe('Prices to change, the largest gain first'),
  types: z.array(fleetType).describe('The GPU types with several own machines or with a change'),
  reason: z.string().describe('The same as sentences'),
})
export type FleetAdviceAnswer = z.infer<typeof fleetAdviceAnswer>
