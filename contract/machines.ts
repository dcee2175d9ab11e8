import { z } from 'zod'
import { integer, marketFilter } from './history.ts'

const share = z.number().nullable()
const mostMachines = 1000
/** More machines in an answer than this have no figures. */
export const mostWithFigures = 100

const limitRange = `limit must be between 1 and ${mostMachines}`

const machineId = (name: string, description: string) =>
  integer(description, `${name} must be an id`).refine((id) => id >= 1 && id <= 2_147_483_647, {
    error: `${name} must be an id`,
  })

/** The query string of GET /api/v0/metrics/machines. */
export const machinesQuery = z.object({
  ...marketFilter.shape,
  limit: integer(
    `The most machines of an answer. With more than ${mostWithFigures}, \`figures\` is null.`,
    limitRange,
  )
    .refine((limit) => limit >= 1 && limit <= mostMachines, { error: limitRange })
    .default(mostWithFigures),
  after: machineId('after', 'The `next` of the answer before: go on behind this machine.').optional(),
  id: machineId('id', 'Only this machine of the account.').optional(),
  figures: z
    .enum(['yes', 'no'], { error: 'figures must be yes or no' })
    .default('yes')
    .describe('With `no`, `figures` of the answer is null, which takes less time.'),
})

const estimate = z
  .object({ value: z.number(), low: z.number(), high: z.number() })
  .nullable()
  .describe('With its 95 % interval; null where too little was seen')

const incomePoint = z.object({
  price: z.number().describe('USD per GPU-hour'),
  position: z
    .int()
    .describe('Where this price stands: 0 in the cheapest tenth of the available GPUs, 9 in the dearest'),
  fill_rate: estimate,
  occupancy: estimate,
  income: estimate,
})

const machineClass = z.object({
  verified: z.boolean().nullable(),
  hosting_type: z.string().nullable(),
  num_gpus: z.int().nullable(),
  widened: z
    .boolean()
    .describe(
      'Too little was seen of its own class. What is null is not part of the class then: first the rig size, then the hosting type, then `verified`',
    ),
})

const compSet = z.object({
  mpi: share.describe(
    'Own occupancy in percent of that of the other machines of exactly its class, over 7 days',
  ),
  ari: share.describe(
    'Own mean price of rented GPUs in percent of theirs; null when one of the two rented nothing',
  ),
  rgi: share.describe('Own revenue per available GPU in percent of theirs: mpi × ari ÷ 100'),
  reason: z
    .enum(['not_seen', 'few_machines', 'few_hosts', 'dominant_host', 'not_rented'])
    .nullable()
    .describe(
      'Why they are null: fewer than 4 other machines, fewer than 3 other hosts, a host with more than half of the GPUs, or nothing rented',
    ),
})

export const ownFigures = z.object({
  occupancy_1d: share.describe(
    'Share of its GPUs on the market that were rented, 0 to 1; null: not on the market',
  ),
  occupancy_7d: share,
  occupancy_30d: share,
  income_1d: z
    .number()
    .describe('USD: what its rented GPUs cost; each market snapshot counts for one interval'),
  income_7d: z.number(),
  income_30d: z.number(),
  idle_since: z
    .int()
    .nullable()
    .describe(
      'Unix seconds since when none of its GPUs is rented, at most 30 days back; null: rented now, or not on the market',
    ),
  price_history: z
    .object({ timestamps: z.array(z.int()), price: z.array(z.number()) })
    .describe('Each change of the price at which it was available, 30 days back, at most the newest 500'),
  offered: z
    .object({ price: z.array(z.number()), available: z.array(z.number()) })
    .describe('Its own part of the mean book of 7 days: its GPUs available at each price, on average'),
  class: machineClass
    .nullable()
    .describe(
      'The machines that the fill rate is of, over 7 days. Where they are few it is pulled to that of all machines of the GPU name',
    ),
  position: z
    .int()
    .nullable()
    .describe(
      'Where its price stands in the mean book of its GPU name over 7 days, 0 to 9; null: not listed',
    ),
  fill_rate: estimate.describe('Rentals per GPU-hour at its price'),
  hours_to_rent: z.number().nullable().describe('Mean hours until an available GPU at its price is rented'),
  income: estimate.describe('USD in 30 days at its price, all its GPUs'),
  fill_rates: z
    .array(estimate)
    .describe(
      'Rentals per GPU-hour at the middle of each position, 0 to 9. Between two middles the rate goes straight from one to the other. Empty: no price is known',
    ),
  return_rate: estimate.describe('Returns per rented GPU-hour'),
  curve: z.array(incomePoint).describe('The same at prices around it, ascending'),
  best_price: z
    .object({ price: z.number(), income: estimate, from: z.number(), to: z.number() })
    .nullable()
    .describe(
      'The price of the curve with the highest income, and the lowest and the highest price whose interval reaches it',
    ),
  comp_set: compSet,
  reason: z
    .enum(['not_listed', 'not_on_market', 'few_as_dear', 'few_rentals', 'little_exposure', 'no_returns'])
    .nullable()
    .describe('Why there is no income at its price'),
})
export type OwnFigures = z.infer<typeof ownFigures>

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
  figures: ownFigures.nullable(),
})
export const machinesAnswer = z.object({
  success: z.literal(true),
  slot: z.int().describe('Unix seconds: the market snapshot that the percentiles were computed from'),
  machines: z.array(ownMachine),
  next: z.int().nullable().describe('`after` of the next page; null: there are no more machines'),
})
