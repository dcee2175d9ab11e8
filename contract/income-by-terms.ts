import { z } from 'zod'
import { named } from './fields.ts'
import { daysLeftFrom } from './fill-by-terms.ts'
import { marketFilter } from './filter-fields.ts'
import { askedName, normalName } from './gpu-names.ts'
import { needsMachine } from './history.ts'
import { estimate } from './machine-estimate.ts'
import { withInterval } from './returns.ts'

/** Groups of listings by minimum bid ÷ price: from each of these to the next, and from the last one on. */
export const bidSharesFrom = [0, 0.25, 0.5, 0.75] as const

/** Terms by which incomes are compared: the rig size, the smallest part that can be rented, the days until the listing ends, and minimum bid ÷ price. */
export const incomeTerms = ['num_gpus', 'min_gpus', 'days_left', 'min_bid'] as const
export type IncomeTerm = (typeof incomeTerms)[number]

/** The starts of the groups of a term; empty: each number of GPUs is a group. */
export const groupStarts: Record<IncomeTerm, readonly number[]> = {
  num_gpus: [],
  min_gpus: [],
  days_left: daysLeftFrom,
  min_bid: bidSharesFrom,
}

/** The query string of GET /api/v0/metrics/gpu/income-by-terms. */
export const incomeByTermsQuery = z.object({
  gpu_name: z
    .string({ error: 'gpu_name must be given once' })
    .transform(normalName)
    .refine((name) => askedName.test(name) && name.toLowerCase() !== 'all', {
      error: 'gpu_name must be one GPU name',
    })
    .meta({ type: 'string', description: 'One GPU name.', example: 'RTX 4090' }),
  ...marketFilter.shape,
})
export type IncomeByTermsQuery = z.output<typeof incomeByTermsQuery>

/** A group of listings by a term. */
const group = {
  from: z
    .number()
    .describe('GPUs of `num_gpus` and `min_gpus`, days of `days_left`, a share of the price of `min_bid`'),
  to: z.number().nullable().describe('Less than this; null: exactly `from` GPUs, or no limit'),
}
const term = z
  .enum(incomeTerms)
  .describe(
    '`num_gpus`: rig size. `min_gpus`: fewest GPUs that can be rented at once. `days_left`: days until the listing ends, the longest rental. `min_bid`: lowest bid for an interruptible rental ÷ price',
  )
const money = withInterval.describe('USD per GPU and day, with its 95 % interval')

const noAdvice = ['one_group', 'few_machines', 'few_hosts', 'none_better'] as const

export const incomeGroup = named('IncomeGroup', {
  ...group,
  machines: z.int(),
  hosts: z.int(),
  income: money.describe('Income per GPU and day on the market, USD, with its 95 % interval over machines'),
  others: z
    .array(
      z.object({
        ...group,
        more: money.describe(
          'Income of the other group less income of this one, within `verified` and hosting type. The intervals of a group hold together in 95 % of cases',
        ),
      }),
    )
    .describe(
      'Other groups beside this one. Groups without 10 machines of 5 hosts on both sides are left out',
    ),
  better: z
    .object({ ...group, more: money })
    .nullable()
    .describe(
      'The group that earned most more, if the interval of its difference leaves out 0; null: `reason`',
    ),
  reason: z
    .enum(noAdvice)
    .nullable()
    .describe(
      '`one_group`: there is no other group. `few_machines`, `few_hosts`: no other group can be compared. `none_better`: none earned more for certain',
    ),
})
export type IncomeGroup = z.infer<typeof incomeGroup>

export const termIncomes = named('TermIncomes', {
  gpu_memory: z.int().nullable().describe('GB per GPU; null: not known'),
  num_gpus: z.int().nullable().describe('Rig size; null: of all, to compare rig sizes'),
  term,
  left_out: z.boolean().describe('true: groups of fewer than 5 machines or 3 hosts are left out'),
  groups: z.array(incomeGroup),
})
export type TermIncomes = z.infer<typeof termIncomes>

const to = z.int().nullable().describe('Unix seconds: the end of the newest published day; null without any')
const days = z.int().describe('Published days of the 30 before it')
const reason = z
  .enum(['no_rentals_known', 'young_market'])
  .nullable()
  .describe('Reason for no incomes: a source without rentals, or fewer than 7 published days')

export const incomeByTermsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  to,
  days,
  reason,
  terms: z
    .array(termIncomes)
    .describe('Observed beside each other, not caused: machines may differ in more than their terms'),
})
export type IncomeByTermsAnswer = z.infer<typeof incomeByTermsAnswer>

export const mostTermMachines = 1000

/** The terms that a host can change. */
export const ownTerms = ['min_gpus', 'days_left', 'min_bid'] as const
const ownTerm = z.enum(ownTerms)

export const termAdvice = named('TermAdvice', {
  machine_id: z.int(),
  gpu_name: z.string(),
  num_gpus: z.int(),
  term: ownTerm,
  now: z
    .object(group)
    .nullable()
    .describe('The group of the machine on its last published day; null: not known, or left out'),
  better: z.object(group).nullable().describe('The group that earned most more; null: `reason`'),
  more_per_day: estimate.describe('USD a day more for all GPUs of the machine, with its 95 % interval'),
  reason: z
    .enum([...noAdvice, 'not_known', 'no_rentals_known', 'young_market'])
    .nullable()
    .describe('As in `income-by-terms`; `not_known`: the term of the machine is not known'),
})
export type TermAdvice = z.infer<typeof termAdvice>

export const termAdviceAnswer = z.object({
  success: z.literal(true),
  to,
  days,
  advice: z.array(termAdvice).describe('A row for each machine and term'),
  sums: z
    .array(
      z.object({
        term: ownTerm,
        machines: z.int().describe('Machines with advice on the term'),
        more_per_day: estimate.describe(
          'USD a day more if all of them followed it. Errors of one class are added up, and classes are independent',
        ),
      }),
    )
    .describe('The mix over the machines: each machine has its own advice'),
  left_out: z.int().describe(`Machines beyond the first ${mostTermMachines}`),
})
export type TermAdviceAnswer = z.infer<typeof termAdviceAnswer>

export type Group = Pick<IncomeGroup, 'from' | 'to'>

/** The group of a level: a number of GPUs, or the index of a start. */
export function groupOf(term: IncomeTerm, level: number): Group {
  const starts = groupStarts[term]
  return starts.length === 0
    ? { from: level, to: null }
    : { from: starts[level] ?? 0, to: starts[level + 1] ?? null }
}
