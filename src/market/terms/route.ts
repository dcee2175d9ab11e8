import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { termNames } from '../../../contract/listing-terms.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type GpuTerms, termsAnswer, termsQuery } from '../../../contract/terms.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { newestSlot } from '../market-query/answers.ts'
import { fewReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'

const description = `The terms of the listings in the newest market snapshot, per GPU type: minimum bid, end, discount, reliability, and the prices of
storage and traffic. Each machine counts once, regardless of its size.`

interface TermsQuestion extends MarketFilter {
  /** A range with the newest slot only; 0 and 0 without a slot. */
  from: number
  to: number
}

export const termsRoute = marketRoute({
  path: 'terms',
  operationId: 'getGpuTerms',
  summary: 'Terms of listings now',
  description,
  query: termsQuery,
  answer: termsAnswer,
  withoutMachine: { slot: null, gpus: {} },
  resolve: (query, moment) => ({ ...query, ...newestSlot(moment) }),
  open:
    ({ clickhouse }) =>
    async (question) => ({ slot: question.from || null, gpus: await queryTerms(clickhouse, question) }),
})

/** A term of a GPU name, by its place in `termNames`, from 1. */
interface Spread {
  gpu_name: string
  place: number
  machines: number
  known: number
  hosts: number
  percentiles: [number, number, number]
}

async function queryTerms(
  clickhouse: ClickHouse,
  { from: slot, ...question }: TermsQuestion,
): Promise<Record<string, GpuTerms>> {
  const query = 'terms/distribution'
  const filter = { ...filterOf(question), slot, count: termNames.length }
  const byName = groupBy(await selectRows<Spread>(clickhouse, query, filter), ({ gpu_name }) => gpu_name)
  return Object.fromEntries(
    [...byName].map(([name, spreads]) => {
      const terms = spreads.map((spread) => [termNames[spread.place - 1], distributionOf(spread)])
      return [name, { machines: spreads[0]?.machines ?? 0, ...Object.fromEntries(terms) } as GpuTerms]
    }),
  )
}

function distributionOf({ known: machines, hosts, percentiles: [p10, median, p90] }: Spread) {
  const reason = machines === 0 ? ('not_known' as const) : fewReason(machines, hosts)
  return reason
    ? { machines, p10: null, median: null, p90: null, reason }
    : { machines, p10, median, p90, reason: null }
}
