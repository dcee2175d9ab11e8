import { z } from 'zod'
import { compSet } from './comp-set.ts'
import { costFigures } from './costs.ts'
import { greatestMachine, named } from './fields.ts'
import { marketFilter } from './filter-fields.ts'
import { integer } from './history.ts'
import { hostShare } from './host-share.ts'
import { estimate } from './machine-estimate.ts'
import { marketplaceTold } from './marketplace-told.ts'
import { advice } from './price-advice.ts'
import { listingTerms } from './terms.ts'

const share = z.number().nullable()
const mostMachines = 1000
/** With more machines than this, an answer has no figures. */
export const mostWithFigures = 100

const limitRange = `limit must be between 1 and ${mostMachines}`

const machineId = (name: string, description: string) =>
  integer(description, `${name} must be an id`).refine((id) => id >= 1 && id <= greatestMachine, {
    error: `${name} must be an id`,
  })

/** The query string of GET /api/v0/metrics/machines. */
export const machinesQuery = z.object({
  ...marketFilter.shape,
  limit: integer(`Machines per page. With more than ${mostWithFigures}, \`figures\` is null.`, limitRange)
    .refine((limit) => limit >= 1 && limit <= mostMachines, { error: limitRange })
    .default(mostWithFigures),
  after: machineId('after', '`next` of the previous page: continue after this machine.').optional(),
  id: machineId('id', 'Only this machine of the account.').optional(),
  figures: z
    .enum(['yes', 'brief', 'no'], { error: 'figures must be yes, brief or no' })
    .default('yes')
    .describe(
      '`no`: `figures` is null, and the answer is faster. `brief`: `curve` has only the own and the advised price, and `price_history`, `offered` and `fill_rates` are empty: a quarter of the size.',
    ),
})

const incomePoint = z.object({
  price: z.number().describe('USD per GPU-hour'),
  position: z.int().describe('Price decile, 0 the cheapest to 9 the most expensive'),
  extrapolated: z.boolean().describe('Below or above all well-observed prices: never recommended'),
  fill_rate: estimate,
  occupancy: estimate,
  income: estimate,
  net_per_day: estimate.describe('USD per day after the known costs; null: none was entered'),
})

const machineClass = z.object({
  verified: z.boolean().nullable(),
  hosting_type: z.string().nullable(),
  num_gpus: z.int().nullable(),
  gpu_memory: z.int().describe('GB per GPU, never widened; 0: not known, so all sizes are in the class'),
  widened: z
    .boolean()
    .describe(
      'The class was widened because its own had too few observations. A property that is null no longer restricts the class: first the rig size is dropped, then the hosting type, then `verified`',
    ),
})

const sinceChange = z
  .object({
    since: z.int().describe('Unix seconds: when its price was first seen; at most 30 days back'),
    covered_seconds: z.int().describe('Seconds it was seen on the market since'),
    occupancy: z.number().describe('Share of its GPUs that was rented since, 0 to 1'),
    earned: z.number().describe('USD: cost of its rented GPUs since'),
    expected: estimate.describe(
      'USD that such a machine earns in this time, with the 95 % interval for one machine, not for the mean of many',
    ),
    standing: z
      .enum(['below', 'within', 'above', 'unknown'])
      .describe(
        'Position of `earned`: below, in or above the interval. `unknown`: there is no estimate, or the machine was seen for less than a day',
      ),
    reason: z.string().describe('The same as a sentence; below the interval, with things to check'),
  })
  .describe('Results since its price last changed; null: it was not seen at its listed price')

export const ownFigures = named('OwnFigures', {
  occupancy_1d: share.describe(
    'Share of its GPUs on the market that were rented, 0 to 1; null: not on the market',
  ),
  occupancy_7d: share,
  occupancy_30d: share,
  income_1d: share.describe(
    'USD: prices of its rented GPUs, as `income_at` defines them; each market snapshot counts for one interval. null: `past_reason`',
  ),
  income_7d: share,
  income_30d: share,
  past_reason: z
    .enum(['no_rentals_known'])
    .nullable()
    .describe(
      'Why occupancies, incomes, `idle_since` and `since_change` are null: the source does not show which GPUs are rented. null: they are known',
    ),
  covered_seconds: z
    .object({ '1d': z.int(), '7d': z.int(), '30d': z.int() })
    .describe('Seconds it was seen on the market in each of these periods'),
  since_change: sinceChange.nullable(),
  last_seen: z
    .int()
    .nullable()
    .describe(
      'Unix seconds: the newest snapshot in which it was on the market; null: none of the last 30 days',
    ),
  idle_since: z
    .int()
    .nullable()
    .describe(
      'Unix seconds since when none of its GPUs is rented, at most 30 days back; null: rented now, or not on the market',
    ),
  waiting: z
    .object({
      idle_hours: z.number().describe('Hours for which it has been idle'),
      longer: z.number().describe('Share of such machines that wait longer at its price, 0 to 1'),
      rare_hours: z.number().describe('One of 20 such machines waits longer'),
      rare_at: z.int().describe('Unix seconds: when it will have waited that long'),
    })
    .nullable()
    .describe(
      'Its idle time, beside the wait of `advice.wait_now`; null: it is not idle, or there is no estimate',
    ),
  price_history: z
    .object({ timestamps: z.array(z.int()), price: z.array(z.number()) })
    .describe('Each change of its asking price in the last 30 days, at most the newest 500'),
  offered: z
    .object({ price: z.array(z.number()), available: z.array(z.number()) })
    .describe('Its own share of the 7-day mean order book: its GPUs available at each price, on average'),
  class: machineClass
    .nullable()
    .describe(
      'The class of machines that the fill rate is computed from, over 7 days. If there are few, the rate is shrunk toward the rate of all machines of the GPU name and memory',
    ),
  position: z
    .int()
    .nullable()
    .describe(
      'Price decile of its price in the 7-day mean order book of its GPU name and memory, 0 to 9; null: not listed',
    ),
  fill_rate: estimate.describe('Rentals per GPU-hour at its price'),
  hours_to_rent: z.number().nullable().describe('Mean hours until an available GPU at its price is rented'),
  income: estimate.describe('USD in 30 days at its price, all its GPUs'),
  outlook: estimate.describe(
    'The same if the host keeps changing the price as in the last 7 days: at the midpoint between the present price decile and the average one',
  ),
  fill_rates: z
    .array(estimate)
    .describe(
      'Rentals per GPU-hour at the midpoint of each price decile, 0 to 9. Linearly interpolated between midpoints, constant outside. Empty: no price is known',
    ),
  fill_factor: z
    .object({ value: z.number(), low: z.number(), high: z.number() })
    .describe('Interval, around 1, of the factor that all `fill_rates` share: it scales them together'),
  gpus_at_once: z
    .number()
    .nullable()
    .describe('Average number of GPUs of such machines that are rented together'),
  return_rate: estimate.describe('Returns per rented GPU-hour'),
  curve: z.array(incomePoint).describe('The same figures at prices around its own, ascending'),
  net: estimate.describe(
    'USD per day at its price after the known costs; null: none was entered, or its income is unknown',
  ),
  costs: costFigures.describe('Its costs, and the figures that follow from them'),
  comp_set: compSet,
  reason: z
    .enum([
      'not_listed',
      'not_on_market',
      'few_as_dear',
      'few_rentals',
      'little_exposure',
      'no_returns',
      'no_rentals_known',
    ])
    .nullable()
    .describe('The reason why there is no income at its price'),
  advice,
})
export type OwnFigures = z.infer<typeof ownFigures>

export const ownMachine = named('OwnMachine', {
  id: z.int(),
  gpu_name: z.string(),
  num_gpus: z.int(),
  gpu_memory: z.int().describe('GB per GPU as sold; 0: not known'),
  verified: z.boolean(),
  hosting_type: z.string(),
  online: z.boolean(),
  price: z
    .number()
    .nullable()
    .describe(
      'USD per GPU-hour of the current listing that the host gets; null: not listed or, in the market of a source, not on the market now',
    ),
  renter_price: z
    .number()
    .nullable()
    .describe(
      'The price that renters pay, USD per GPU-hour, as in charts and books. Another price than `price` where `host_share` is below 1',
    ),
  host_share: hostShare
    .nullable()
    .describe(
      "In the market of a source, the host's share of what renters pay: `price`, `rented_price` and all money in `figures` are the host's part. null: it is not known, or the market is the site's own",
    ),
  rented_gpus: z.int().nullable().describe('null: the source does not show which GPUs are rented'),
  rented_price: z.number().nullable().describe('USD per GPU-hour, the mean over its rented GPUs'),
  avail_percentile: share.describe(
    'Share of the available GPUs of the same name and memory that cost less than this price, 0 to 1; null without a price or without such GPUs',
  ),
  rented_percentile: share.describe(
    'Share of the rented GPUs of the same name and memory that cost less than this price, 0 to 1',
  ),
  terms: listingTerms
    .nullable()
    .describe('Terms of its listing at `slot`; null: it was not on the market, or all are unknown'),
  country: z
    .string()
    .nullable()
    .describe(
      'ISO 3166 alpha-2 code of its country; null: it is not known, or the machine was not on the market at `slot`',
    ),
  marketplace: marketplaceTold
    .nullable()
    .describe(
      "Facts that the source's marketplace reports to the account's key; null: there is no key, or the marketplace did not show this machine",
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
      "Price at which rented GPUs count: the contract's or, in the market of a source, the listed one, since rental prices are not visible",
    ),
  claimed: z
    .boolean()
    .describe(
      'True if these are machines of a source that the account claims (`/api/v0/metrics/claims`). A claim is unverified unless a key proves it',
    ),
  next: z
    .int()
    .nullable()
    .describe('Pass it as `after` to get the next page; null: there are no more machines'),
})
