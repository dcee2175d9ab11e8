import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import type { IncomeByTermsAnswer } from '../../../contract/income-by-terms.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { pathOf, type Tool } from '../tool.ts'

const input = z.object({ gpu_name: z.string().min(1).max(64).describe('One GPU name'), ...toolFilter })

export const incomeByTerms: Tool<typeof input> = {
  name: 'income_by_terms',
  title: 'Income by rig size and terms of the listing',
  description:
    'Income per GPU and day of one GPU type, by rig size, by the fewest GPUs that can be rented at once, by the days until the listing ends and by minimum bid ÷ price, with the interval of each difference and the group that earned most more. Observed, not caused.',
  input,
  path: ({ gpu_name, ...asked }) =>
    pathOf('/api/v0/metrics/gpu/income-by-terms', { ...filterParameters(asked), gpu_name }),
  summarize: ({ to, days, reason, terms }: IncomeByTermsAnswer) => ({
    figures: ['income', 'income_more'],
    data: { to, days, reason, terms },
    note: terms.some(({ left_out }) => left_out)
      ? 'Groups of fewer than 5 machines or 3 hosts are left out.'
      : undefined,
  }),
}
