import { z } from 'zod'
import { named } from './fields.ts'
import { marketFilter, tierFilter } from './filter-fields.ts'
import { normalName } from './gpu-names.ts'
import { needsMachine } from './history.ts'

export const returnsOrders = ['net', 'dollar', 'watt', 'payback'] as const
export type ReturnsOrder = (typeof returnsOrders)[number]

export const returnsDays = ['30', '90'] as const

const decimal = (name: string, most: number, description: string) =>
  z
    .string({ error: `${name} must be a number from 0 to ${most}` })
    .refine((text) => /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) <= most, {
      error: `${name} must be a number from 0 to ${most}`,
    })
    .transform(Number)
    .optional()
    .meta({ type: 'number', description })

const mostPrices = 500
/** USD for a GPU. */
const highestPrice = 1_000_000

/** `RTX 4090:1650,H200:31000`. */
const purchasePrices = z
  .string({ error: 'purchase_price must be given once' })
  .max(20_000, { error: 'purchase_price is too long', abort: true })
  .transform((text) =>
    text.split(',').map((pair) => /^\s*(.{1,64}?)\s*:\s*(\d{1,7}(?:\.\d{1,2})?)\s*$/.exec(pair)),
  )
  .refine(
    (pairs) =>
      pairs.length <= mostPrices &&
      pairs.every((pair) => pair && Number(pair[2]) > 0 && Number(pair[2]) <= highestPrice),
    { error: 'purchase_price must be NAME:USD, separated by commas, each above 0 and at most 1000000' },
  )
  .transform((pairs) =>
    Object.fromEntries(pairs.map((pair) => [normalName(pair?.[1] ?? '').toLowerCase(), Number(pair?.[2])])),
  )
  .optional()
  .meta({
    type: 'string',
    description: 'Purchase prices of one GPU with its share of the machine, USD, by GPU name.',
    example: 'RTX 4090:1650,H200:31000',
  })

/** The query string of GET /api/v0/metrics/gpu/returns. */
export const returnsQuery = z.object({
  ...marketFilter.shape,
  ...tierFilter,
  days: z
    .enum(returnsDays, { error: "days must be '30' or '90'" })
    .default('30')
    .describe('The days before the newest published day that net, payback and the order are computed from'),
  kwh_price: decimal('kwh_price', 10, 'USD per kWh. Without it no power is taken off.'),
  fee: decimal('fee', 0.99, 'Share of the income that the marketplace keeps. Without it none is taken off.'),
  purchase_price: purchasePrices,
  order: z
    .enum(returnsOrders, { error: `order must be one of ${returnsOrders.join(', ')}` })
    .default('net')
    .describe(
      'Net a day, net per dollar of purchase price, net per watt, or payback; classes without come last',
    ),
  limit: z
    .string({ error: 'limit must be a number from 1 to 500' })
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 500, {
      error: 'limit must be a number from 1 to 500',
    })
    .transform(Number)
    .meta({ type: 'integer', description: 'The most classes' })
    .prefault('200'),
})
export type ReturnsQuery = z.output<typeof returnsQuery>

const figure = z.number().nullable()
const share = z.number().min(0).max(1).nullable()

/** A figure with its 95 % interval. */
export const withInterval = named('FigureWithInterval', { value: figure, low: figure, high: figure })
export type WithInterval = z.infer<typeof withInterval>

const thinReasons = ['few_machines', 'few_hosts', 'no_rentals_known', 'young_market'] as const

const earned = named('EarnedInDays', {
  machines: z.int().describe('Machines that were on the market'),
  income: withInterval.describe('USD per GPU and day on the market: revenue per available GPU × 24'),
  p25: figure.describe(
    'Incomes of single machines, USD per GPU and day: nearest rank, weighted by GPU-hours on the market',
  ),
  median: figure,
  p75: figure,
  occupancy: share.describe('Rented GPU-hours of all GPU-hours'),
  reason: z
    .enum(thinReasons)
    .nullable()
    .describe(
      'Reason for nulls: fewer than 5 machines or 3 hosts, a source without rentals, or fewer than 7 published days',
    ),
})
export type Earned = z.infer<typeof earned>

export const payback = named('Payback', {
  purchase_price: figure.describe('USD for a GPU, as given'),
  months: figure.describe('Purchase price ÷ net a month'),
  low: figure.describe('At the upper end of net'),
  high: figure.describe('At the lower end of net; null: never'),
  falling: figure.describe(
    'If prices go on falling as in the last 90 days; null: never, or they do not fall',
  ),
  reason: z.enum(['no_purchase_price', 'no_income', 'never']).nullable(),
})
export type Payback = z.infer<typeof payback>

export const classReturns = named('ClassReturns', {
  gpu_name: z.string(),
  gpu_memory: z.int().nullable().describe('GB per GPU as sold; null: not known'),
  num_gpus: z.int().describe('GPUs of the rig'),
  days_30: earned,
  days_90: earned,
  net: withInterval.describe('Income less fee and power, USD per GPU and day, of the requested days'),
  net_reason: z.enum([...thinReasons, 'watts_not_known']).nullable(),
  next_30: withInterval.describe(
    'Net in the next 30 days: income of the last 30 with an interval for its change, learned from the months before',
  ),
  next_30_reason: z
    .enum([...thinReasons, 'watts_not_known'])
    .nullable()
    .describe('`young_market`: fewer than 60 published days, or too few classes'),
  watts: z.int().nullable().describe('Board power of a GPU; null: not known'),
  net_per_dollar: figure.describe('Net a day ÷ purchase price'),
  net_per_watt: figure.describe('Net a day ÷ board power'),
  payback,
  first_rental_hours: figure.describe(
    'Median hours from the first sight of a new machine to its first rental, of the last 83 days (Kaplan–Meier)',
  ),
  new_machines: z.int().describe('New machines that this median comes from'),
  supply: z
    .object({
      gpus: z.int().describe('GPUs of machines that were on the market in the last 7 days'),
      growth: figure.describe('Their growth since the 7 days that ended 30 days before, as a share of 1'),
      arrived: z.int().nullable().describe('Machines of the last 7 days that were not there then'),
      left: z.int().nullable().describe('Machines that were there then and not in the last 7 days'),
    })
    .describe('null: the market is younger'),
  price_change: z
    .object({ days_7: figure, days_30: figure, days_90: figure })
    .describe('Change of the price index of the GPU name, as a share of 1; null: a day of it has no link'),
})
export type ClassReturns = z.infer<typeof classReturns>

export const returnsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  to: z.int().nullable().describe('Unix seconds: the end of the newest published day; null without any'),
  days: z.int().describe('Published days of the 90 before it'),
  not_taken_off: z.array(z.enum(['fee', 'power'])).describe('Costs that were not given'),
  classes: z.array(classReturns).describe('In the requested order'),
  left_out: z.int().describe('Further classes'),
})
export type ReturnsAnswer = z.infer<typeof returnsAnswer>
