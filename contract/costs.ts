import { z } from 'zod'
import { type Costs, costFields } from './cost-fields.ts'
import { named } from './fields.ts'

const known = (least: number, most: number, description: string) =>
  z.number().min(least).max(most).nullable().default(null).describe(description)

const fields = {
  kwh_price: known(0, 10, 'USD for a kWh'),
  watts_idle: known(0, 100_000, 'W of the whole machine while no GPU is rented. Requires `watts_load`'),
  watts_load: known(1, 100_000, 'W of the whole machine while all GPUs are rented'),
  fee_percent: z
    .number()
    .min(0)
    .lt(100, { error: 'must be less than 100' })
    .nullable()
    .default(null)
    .describe("The marketplace's fee, in percent of what renters pay"),
  other_per_month: known(0, 1_000_000, 'USD per month and machine: internet, rack space, labor'),
  purchase_price: known(0, 100_000_000, 'USD for a machine'),
  months: known(1, 600, 'Months of use over which the purchase price is spread'),
} satisfies Record<keyof Costs, z.ZodType>

/** The body that writes costs. Missing fields are unknown. */
export const costsBody = z
  .strictObject({
    ...fields,
    confirm_unusual: z
      .boolean()
      .optional()
      .describe('true: costs that are far from the usual are right, and are written'),
  })
  .refine(({ watts_idle, watts_load }) => watts_idle === null || watts_load !== null, {
    path: ['watts_load'],
    error: 'is required beside watts_idle',
  })
  .refine(({ watts_idle, watts_load }) => watts_load === null || watts_idle !== null, {
    path: ['watts_idle'],
    error: 'is required beside watts_load',
  })
  .refine(({ watts_idle, watts_load }) => (watts_idle ?? 0) <= (watts_load ?? Number.POSITIVE_INFINITY), {
    path: ['watts_load'],
    error: 'must be at least watts_idle',
  })
  .meta({ id: 'EnteredCosts' })

const shown = (field: z.ZodDefault<z.ZodNullable<z.ZodNumber>>) =>
  z
    .number()
    .nullable()
    .describe(field.description ?? '')

/** Costs in answers; null: unknown. */
export const costs = named('Costs', {
  kwh_price: shown(fields.kwh_price),
  watts_idle: shown(fields.watts_idle),
  watts_load: shown(fields.watts_load),
  fee_percent: shown(fields.fee_percent),
  other_per_month: shown(fields.other_per_month),
  purchase_price: shown(fields.purchase_price),
  months: shown(fields.months),
})

export const costsAnswer = z.object({
  success: z.literal(true),
  account: costs.describe('Costs of all machines of the account that have none of their own'),
  machines: z
    .array(costs.extend({ id: z.int() }))
    .describe("Costs of single machines. null: the account's value applies"),
})

const estimate = named('CostEstimate', { value: z.number(), low: z.number(), high: z.number() })
const fieldNames = z.array(z.enum(costFields))

/** Figures about a machine's costs and its price. */
export const costFigures = named('CostFigures', {
  values: costs.describe("The values used: the machine's, otherwise the account's, otherwise an assumption"),
  assumed: fieldNames.describe('Assumed from the board power of the GPU type, until the host enters them'),
  unknown: fieldNames.describe('Unknown values, left out of every figure'),
  floor: z
    .number()
    .nullable()
    .describe(
      'USD per GPU-hour below which a rented hour leaves less than an idle one; null: the price of power, the watts or the fee is not known',
    ),
  minimum_bid: z.number().nullable().describe('The floor, rounded up to the cent'),
  break_even_price: z
    .number()
    .nullable()
    .describe('The price at which income covers all costs, at the occupancy expected at its present price'),
  break_even_occupancy: z
    .number()
    .nullable()
    .describe(
      'The occupancy at which income covers all costs, at its present price; above 1: not even when always rented',
    ),
  payback_days: z
    .object({ value: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() })
    .nullable()
    .describe('Days until its purchase price is earned back, with the 95 % interval; null in it: never'),
  keep_on: z
    .object({
      verdict: z
        .enum(['yes', 'no', 'unknown'])
        .describe('Compares its income with the cost of its power; `unknown`: 0 lies in the interval'),
      per_day: estimate.describe(
        'Additional income of a day powered on compared with a day powered off, USD',
      ),
    })
    .nullable(),
})
