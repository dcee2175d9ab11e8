import { z } from 'zod'
import { named } from './fields.ts'

/** The most machines of an account whose incomes are added up by day. */
export const mostAddedUp = 10_000

export const ownIncomeQuery = z.object({
  days: z.coerce.number().int().min(1).max(30).default(14).describe('Days in UTC, with the present one'),
})

export const incomeDay = named('IncomeDay', {
  day: z.int().describe('Start of the day in UTC, unix seconds'),
  recorded_seconds: z
    .int()
    .describe(
      'The snapshots of the day × the interval: less than a day for the present day and one with a gap',
    ),
  machines: z.int().describe('Own machines that were on the market in the day'),
  income: z
    .number()
    .nullable()
    .describe('USD before costs; null: nothing was recorded, or rentals are not known'),
  net: z
    .number()
    .nullable()
    .describe(
      'USD after all known costs of the machines while they were on the market; null: `income` is null, or no costs are entered for some machine',
    ),
})

export const ownIncomeAnswer = z.object({
  success: z.literal(true),
  slot: z.int().describe('Unix seconds: the newest market snapshot'),
  machines: z.int().describe(`Machines of the account that are added up, at most ${mostAddedUp}`),
  income_at: z
    .enum(['contract', 'listed'])
    .describe('`listed`: rented GPUs count at listed prices, since contract prices are not known'),
  past_reason: z
    .literal('no_rentals_known')
    .nullable()
    .describe('The reason for missing incomes: no source of the market shows which GPUs are rented'),
  days: z.array(incomeDay).describe('The oldest day first'),
})
export type OwnIncomeAnswer = z.infer<typeof ownIncomeAnswer>
