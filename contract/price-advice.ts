import { z } from 'zod'
import { grades, obstacles, verdicts } from './advice-kinds.ts'
import { estimate } from './machine-estimate.ts'

export const wait = z.object({
  hours: z.number().describe('Half of such machines are rented within these hours'),
  long_hours: z.number().describe('Four of five are: a normal wait does not last longer'),
  chances: z.array(z.object({ days: z.int(), chance: z.number().describe('0 to 1') })),
})

export const advice = z
  .object({
    verdict: z
      .enum(verdicts)
      .describe(
        '`raise` and `lower`: `price` earns more in the next days with a probability of 85 %. `keep`: no price is likely to earn noticeably more. `try`: `price` probably earns more, and asking it for `trial.days` shows it. `start`: the price to begin with, of a machine that is not listed. `unknown`: `obstacle` has the reason',
      ),
    grade: z
      .enum(grades)
      .nullable()
      .describe(
        'Source of the estimate. `first_snapshot`: occupancies by price in the first snapshot, and rentals of other GPU types. `class`: at least 5 contracts of the GPU type. `own_results`: at least 5 contracts of the machine as well. null: there is no estimate',
      ),
    price: z
      .number()
      .nullable()
      .describe(
        'The price to ask now, at most 20 % from the present one; for `keep` the present price; null: unknown',
      ),
    end_price: z.number().nullable().describe('The price after all such steps'),
    basis: z
      .enum(['net', 'gross'])
      .describe(
        '`net`: compares incomes after power and fee; `gross`: before them, because they are unknown',
      ),
    gain_per_day: estimate.describe(
      'Additional income of a day at `price` compared with the present price, USD, with the interval of the difference',
    ),
    chance: z
      .number()
      .nullable()
      .describe(
        'The probability that `price` earns more than the present price in the next days, 0 to 1; null: the verdict is not `raise`, `lower` or `try`, or the present price is below the minimum bid',
      ),
    income_per_day: estimate.describe(
      'Income of a day at the present price by the same estimate, USD, on the same `basis`; null: no estimate, or no price',
    ),
    wait: wait
      .nullable()
      .describe('Time until a free machine is rented at `price`, or at the present price without one'),
    wait_now: wait.nullable().describe('The same at the present price; null: no estimate, or no price'),
    trial: z
      .object({
        days: z.int().describe('Days to ask `price`'),
        cost: z.number().describe('USD that these days cost at most: at the lower end of the gain'),
      })
      .nullable()
      .describe('The length and cost of a trial; null: the verdict is not `try`'),
    obstacle: z
      .enum(obstacles)
      .nullable()
      .describe(
        'Why the verdict is `unknown`. `no_market`: no machine of the GPU type was on the market. `no_others`: no other machine of it has an offer. `unsure`: another price may earn more or less. `no_rentals_known`: the source does not show which GPUs are rented. null: it is not `unknown`',
      ),
    reason: z.string().describe('The advice as sentences, with its source; without advice, the reason'),
    evidence: z
      .string()
      .describe('The part of `reason` that `verdict`, `price` and `gain_per_day` do not say already'),
  })
  .describe('Advice on the price')
