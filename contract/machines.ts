import { z } from 'zod'
import { costFigures } from './costs.ts'
import { greatestMachine, named } from './fields.ts'
import { integer, marketFilter } from './history.ts'
import { marketplaceTold } from './marketplace-told.ts'
import { listingTerms } from './terms.ts'

const share = z.number().nullable()
const mostMachines = 1000
/** More machines in an answer than this have no figures. */
export const mostWithFigures = 100

const limitRange = `limit must be between 1 and ${mostMachines}`

const machineId = (name: string, description: string) =>
  integer(description, `${name} must be an id`).refine((id) => id >= 1 && id <= greatestMachine, {
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

const estimate = named('MachineEstimate', { value: z.number(), low: z.number(), high: z.number() })
  .nullable()
  .describe('With its 95 % interval; null where too little was seen')

const incomePoint = z.object({
  price: z.number().describe('USD per GPU-hour'),
  position: z
    .int()
    .describe('Where this price stands: 0 in the cheapest tenth of the available GPUs, 9 in the dearest'),
  extrapolated: z
    .boolean()
    .describe('Below all other prices, or dearer than what was well observed: never recommended'),
  fill_rate: estimate,
  occupancy: estimate,
  income: estimate,
  net_per_day: estimate.describe(
    'USD that a day leaves after the costs that are known; null: none was entered',
  ),
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

const advice = z
  .object({
    verdict: z
      .enum(['raise', 'lower', 'keep', 'unknown'])
      .describe(
        '`raise` and `lower`: the gain is above 0 at its lower end. `keep`: no price is expected to earn noticeably more, and that is known well. `unknown`: too little is known',
      ),
    price: z
      .number()
      .nullable()
      .describe('What to ask now, at most 20 % away; the own price to keep it; null: not known'),
    end_price: z.number().nullable().describe('Where such steps lead'),
    basis: z
      .enum(['net', 'gross'])
      .describe('`net`: incomes are compared after power and fee; `gross`: these are not known'),
    gain_per_day: estimate.describe(
      'What a day earns more at `price` than at its own, USD, with the interval of the difference',
    ),
    reason: z
      .string()
      .describe('The advice as a sentence; where it is not known, what is missing and what to do'),
  })
  .describe('What to do with the price')

const sinceChange = z
  .object({
    since: z.int().describe('Unix seconds: when its price was first seen; at most 30 days back'),
    covered_seconds: z.int().describe('How long it was seen on the market since'),
    occupancy: z.number().describe('Share of its GPUs that was rented since, 0 to 1'),
    earned: z.number().describe('USD: what its rented GPUs cost since'),
    expected: estimate.describe(
      'USD that such a machine earns in this time, with the 95 % interval of one machine, not of the mean of many',
    ),
    standing: z
      .enum(['below', 'within', 'above', 'unknown'])
      .describe('Where `earned` lies. `unknown`: there is no estimate, or it was seen for less than a day'),
    reason: z.string().describe('The same as a sentence; below the interval, what to look at'),
  })
  .describe('Since the last change of its price; null: it was not seen at the price at which it is listed')

export const ownFigures = named('OwnFigures', {
  occupancy_1d: share.describe(
    'Share of its GPUs on the market that were rented, 0 to 1; null: not on the market',
  ),
  occupancy_7d: share,
  occupancy_30d: share,
  income_1d: z
    .number()
    .describe(
      'USD: what its rented GPUs cost, at the prices that `income_at` says; each market snapshot counts for one interval',
    ),
  income_7d: z.number(),
  income_30d: z.number(),
  covered_seconds: z
    .object({ '1d': z.int(), '7d': z.int(), '30d': z.int() })
    .describe('How much of each of these times the figures are of: how long it was seen on the market'),
  since_change: sinceChange.nullable(),
  last_seen: z
    .int()
    .nullable()
    .describe('Unix seconds: the newest snapshot that has it on the market; null: none of the last 30 days'),
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
  outlook: estimate.describe(
    'The same if the host goes on changing the price as in the last 7 days: halfway between where its price stands and where it stood on average',
  ),
  fill_rates: z
    .array(estimate)
    .describe(
      'Rentals per GPU-hour at the middle of each position, 0 to 9. Between two middles the rate goes straight from one to the other. Empty: no price is known',
    ),
  fill_factor: z
    .object({ value: z.number(), low: z.number(), high: z.number() })
    .describe(
      'How sure the factor is that all `fill_rates` have in common, around 1: it moves them together',
    ),
  gpus_at_once: z
    .number()
    .nullable()
    .describe('How many GPUs of machines like it are rented at once, on average'),
  return_rate: estimate.describe('Returns per rented GPU-hour'),
  curve: z.array(incomePoint).describe('The same at prices around it, ascending'),
  net: estimate.describe(
    'USD that a day leaves at its price after the costs that are known; null: none was entered, or its income is not known',
  ),
  costs: costFigures.describe('What its costs mean for its price'),
  comp_set: compSet,
  reason: z
    .enum(['not_listed', 'not_on_market', 'few_as_dear', 'few_rentals', 'little_exposure', 'no_returns'])
    .nullable()
    .describe('Why there is no income at its price'),
  advice,
})
export type OwnFigures = z.infer<typeof ownFigures>

export const ownMachine = named('OwnMachine', {
  id: z.int(),
  gpu_name: z.string(),
  num_gpus: z.int(),
  verified: z.boolean(),
  hosting_type: z.string(),
  online: z.boolean(),
  price: z
    .number()
    .nullable()
    .describe(
      'USD per GPU-hour of the current listing; null: not listed, or of a source, not on the market now',
    ),
  rented_gpus: z.int(),
  rented_price: z.number().nullable().describe('USD per GPU-hour, the mean over its rented GPUs'),
  avail_percentile: share.describe(
    'Share of the available GPUs of the same name that cost less than this price, 0 to 1; null without a price or without such GPUs',
  ),
  rented_percentile: share.describe(
    'Share of the rented GPUs of the same name that cost less than this price, 0 to 1',
  ),
  terms: listingTerms
    .nullable()
    .describe('Terms of its listing at `slot`; null: it was not on the market, or none is known'),
  marketplace: marketplaceTold
    .nullable()
    .describe(
      'What the marketplace of the source told with the key of the account; null: it has none, or the marketplace did not show this machine',
    ),
  figures: ownFigures.nullable(),
})
export const machinesAnswer = z.object({
  success: z.literal(true),
  slot: z.int().describe('Unix seconds: the market snapshot that the percentiles were computed from'),
  machines: z.array(ownMachine),
  income_at: z
    .enum(['contract', 'listed'])
    .describe(
      'What rented GPUs count at: the prices of their contracts, or in the market of a source those that are listed, since what renters pay is not visible',
    ),
  claimed: z
    .boolean()
    .describe(
      'Whether these are machines of a source, which the account claims (`/api/v0/metrics/claims`). Nobody has checked that, unless a key proves it',
    ),
  next: z.int().nullable().describe('`after` of the next page; null: there are no more machines'),
})
