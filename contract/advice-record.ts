import { z } from 'zod'
import { named } from './fields.ts'
import { estimate } from './machine-estimate.ts'

/** The most pieces of advice in an answer. */
export const mostAdvice = 1000

const perDay = z.number().nullable()

export const adviceOutcomes = named('AdviceOutcomes', {
  count: z.int().describe('Pieces of advice whose seven days are over'),
  before_per_day: perDay.describe(
    'Their machines in the seven days before, USD a day on the market, added up. null: none',
  ),
  after_per_day: perDay.describe('The same in the seven days after'),
  claimed_per_day: estimate.describe('Their claimed gains, added up, with the ends of their intervals'),
  coverage: z
    .number()
    .nullable()
    .describe(
      'Share of the changes that lay within their claimed intervals, 0 to 1. Weeks vary more than means',
    ),
  error_ratio: z
    .number()
    .nullable()
    .describe('Mean error of the claims ÷ mean error of expecting no change. null: nothing changed'),
})
export type AdviceOutcomes = z.infer<typeof adviceOutcomes>

export const givenAdvice = named('GivenAdvice', {
  machine_id: z.int(),
  given_at: z.int().describe('Unix seconds: the market snapshot'),
  verdict: z.enum(['raise', 'lower', 'try']),
  basis: z.enum(['net', 'gross']).describe('`net`: money is after power and fee; `gross`: before them'),
  price: z.number().describe('USD per GPU-hour: the price then'),
  advised: z.number().describe('The advised price'),
  gain_per_day: estimate.describe('The claimed gain, USD a day'),
  before_per_day: z.number().describe('USD a day on the market, in the seven days before'),
  followed: z
    .boolean()
    .nullable()
    .describe(
      'A day later the price was at least half of the way to `advised`. null: not known yet, or no longer',
    ),
  after_per_day: perDay.describe('USD a day on the market, in the seven days after. null as `followed`'),
})
export type GivenAdvice = z.infer<typeof givenAdvice>

export const adviceRecordAnswer = z.object({
  success: z.literal(true),
  since: z.int().describe('Unix seconds: advice since then counts, 90 days'),
  followed: adviceOutcomes,
  not_followed: adviceOutcomes.describe(
    'Advice that was not followed: how much such machines change without it',
  ),
  advice: z.array(givenAdvice).describe(`The newest ${mostAdvice} pieces of advice, newest first`),
})
