import { day } from '../../../contract/durations.ts'
import { sameName } from '../../../contract/gpu-names.ts'
import {
  type IncomeByTermsQuery,
  incomeByTermsAnswer,
  incomeByTermsQuery,
} from '../../../contract/income-by-terms.ts'
import { marketRoute } from '../market-query/market-route.ts'
import {
  type PublishedQuestion,
  publishedBefore,
  readPublished,
  whyNoIncomes,
} from '../market-query/published.ts'
import { inOrder, readTermRows, termClasses, termIncomesOf } from './read-incomes.ts'

const description = `What machines of one GPU type earned per GPU and day, by rig size, by the fewest GPUs that can be rented at once, by the days until the listing
ends and by minimum bid ÷ price, with the interval of each difference. Of the 30 days before the newest published day. Observed, not caused.
Groups of fewer than 5 machines or 3 hosts are left out.`

export const longestTerms = 30

type IncomeQuestion = IncomeByTermsQuery & PublishedQuestion

/** GET /api/v0/metrics/gpu/income-by-terms */
export const incomeByTermsRoute = marketRoute({
  path: 'income-by-terms',
  operationId: 'getGpuIncomeByTerms',
  summary: 'Income by rig size and terms of the listing',
  description,
  query: incomeByTermsQuery,
  answer: incomeByTermsAnswer,
  withoutMachine: { to: null, days: 0, reason: null, terms: [] },
  lasts: day,
  resolve: (query, moment): IncomeQuestion => ({
    ...query,
    gpu_name: moment.names.find(({ name }) => sameName(name, query.gpu_name))?.name ?? query.gpu_name,
    ...publishedBefore(moment, longestTerms),
  }),
  open:
    ({ clickhouse }) =>
    async (question) => {
      const { to, days } = await readPublished(clickhouse, question, longestTerms)
      const reason = whyNoIncomes(days, question.hasRentals)
      const rows = reason ? [] : await readTermRows(clickhouse, [question.gpu_name], { ...question, to })
      const terms = inOrder(termClasses(rows).values()).map(termIncomesOf)
      return { to: to || null, days, reason, terms }
    },
})
