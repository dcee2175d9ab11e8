import { z } from 'zod'
import { type Costs, costFields } from './cost-fields.ts'
import { named } from './fields.ts'

const known = (least: number, most: number, description: string) =>
  z.number().min(least).max(most).nullable().default(null).describe(description)

const fields = {
  kwh_price: known(0, 10, 'USD for a kWh'),
  watts_idle: known(0, 100_000, 'W of the whole machine with no GPU rented, beside `watts_load`'),
  watts_load: known(1, 100_000, 'W of the whole machine with all GPUs rented'),
  fee_percent: z
    .number()
    .min(0)
    .lt(100, { error: 'must be less than 100' })
    .nullable()
    .default(null)
    .describe('What the marketplace keeps of what renters pay, in percent'),
  other_per_month: known(0, 1_000_000, 'USD a month for a machine: internet, rack, work'),
  purchase_price: known(0, 100_000_000, 'USD for a machine'),
  months: known(1, 600, 'For how long a machine is used: its purchase price is spread over them'),
} satisfies Record<keyof Costs, z.ZodType>

/** What is written of costs. What is left out is not known. */
export const costsBody = z
  .strictObject(fields)
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

const shown = (field: z.ZodDefault<z.ZodNullable<z.ZodNumber>>) =>
  z
    .number()
    .nullable()
    .describe(field.description ?? '')

/** Costs in answers; null: not known. */
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
  account: costs.describe('Of all machines of the account that have none of their own'),
  machines: z
    .array(costs.extend({ id: z.int() }))
    .describe('Of single machines. What is null there is that of the account'),
})

const estimate = named('CostEstimate', { value: z.number(), low: z.number(), high: z.number() })
const fieldNames = z.array(z.enum(costFields))

/** What the costs of a machine mean for its price. */
export const costFigures = named('CostFigures', {
  values: costs.describe('What it is computed with: of the machine, else of the account, else assumed'),
  assumed: fieldNames.describe('Assumed from the board power of the GPU type, until the host enters them'),
  unknown: fieldNames.describe('Not known, and left out of every figure'),
  floor: z
    .number()
    .nullable()
    .describe(
      'USD per GPU-hour below which an hour rented costs more than an hour idle; null: the price of power, the watts or the fee are not known',
    ),
  minimum_bid: z.number().nullable().describe('The floor, rounded up to the cent'),
  break_even_price: z
    .number()
    .nullable()
    .describe('The price at which nothing is left after costs, at the occupancy to expect at its own price'),
  break_even_occupancy: z
    .number()
    .nullable()
    .describe('The same as an occupancy at its price; above 1: not even when it is always rented'),
  payback_days: z
    .object({ value: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() })
    .nullable()
    .describe('Days until its purchase price is earned, with the 95 % band; null within: never'),
  keep_on: z
    .object({
      verdict: z
        .enum(['yes', 'no', 'unknown'])
        .describe('Whether it earns more than its power costs; `unknown`: 0 lies in the interval'),
      per_day: estimate.describe('What a day powered on earns more than one powered off, USD'),
    })
    .nullable(),
})
