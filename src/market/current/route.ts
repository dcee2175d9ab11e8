import { type CurrentGpu, currentAnswer, currentQuery } from '../../../contract/current.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { newestSlot } from '../market-query/answers.ts'
import { rentalsReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'

/** GPU names with fewer GPUs are left out: their percentiles would be the prices of single machines. */
const fewestGpus = 10

const description = `The newest market snapshot: one row for each GPU type with at least ${fewestGpus} GPUs, largest number of GPUs first. \`price_\`
fields cover available GPUs only, like \`avail_\` in the history: what a renter would pay now. \`rented_\` fields are contract prices.`

interface CurrentQuestion extends MarketFilter {
  /** True: prices of few rented GPUs are left out. */
  isOwn: boolean
  hasRentals: boolean
  /** A range with the newest slot only; 0 and 0 without a slot. */
  from: number
  to: number
}

export const currentRoute = marketRoute({
  path: 'current',
  isOfCube: true,
  operationId: 'getGpuMarket',
  summary: 'GPU market now',
  description,
  query: currentQuery,
  answer: currentAnswer,
  withoutMachine: { slot: null, reason: null, gpus: [] },
  resolve: (query, moment) => ({
    ...query,
    isOwn: moment.state.is_own,
    hasRentals: moment.state.has_rentals,
    ...newestSlot(moment),
  }),
  open:
    ({ clickhouse }) =>
    async (question) => ({
      slot: question.from || null,
      reason: rentalsReason(question.hasRentals),
      gpus: await queryCurrent(clickhouse, question),
    }),
})

type Quartiles = Pick<CurrentGpu, 'price_p25' | 'price_p75'>
type Latest = Omit<CurrentGpu, keyof Quartiles | 'bucket_size' | 'usage_30d' | 'price_change_7d'>
interface OlderFigures {
  gpu_name: string
  usage_30d: number
  median_before: number | null
}

async function queryCurrent(
  clickhouse: ClickHouse,
  { from: slot, isOwn, hasRentals, ...question }: CurrentQuestion,
): Promise<CurrentGpu[]> {
  const filter = { ...filterOf(question), slot }
  const [latest, quartiles, past] = await Promise.all([
    selectRows<Latest>(clickhouse, 'current/latest', {
      ...filter,
      own: Number(isOwn),
      fewest: fewestGpus,
    }),
    selectRows<{ gpu_name: string } & Quartiles>(clickhouse, 'current/quartiles', filter),
    selectRows<OlderFigures>(clickhouse, 'current/past', filter),
  ])
  const quartilesOf = new Map(quartiles.map((row) => [row.gpu_name, row]))
  const pastOf = new Map(past.map((row) => [row.gpu_name, row]))
  return latest.map((row) => {
    const { usage_30d = null, median_before: before = null } = pastOf.get(row.gpu_name) ?? {}
    const { price_p25 = null, price_p75 = null } = quartilesOf.get(row.gpu_name) ?? {}
    const now = row.price_median
    const price_change_7d = now === null || !before ? null : 100 * (now / before - 1)
    const beside = { usage_30d, price_p25, price_p75, price_change_7d }
    const known = { ...row, bucket_size: Math.max(1, question.num_gpus), ...beside }
    return hasRentals ? known : { ...known, usage: null, usage_30d: null }
  })
}
