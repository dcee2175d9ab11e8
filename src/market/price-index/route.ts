import { indexAnswer, indexQuery, type PriceIndex } from '../../../contract/price-index.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { type DaysQuestion, resolveDays } from '../market-query/days.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { byName } from '../market-query/select.ts'

const description = `A constant-quality (matched-model) price index by day (UTC). Machines that were available on two consecutive days are compared
with themselves, so changes in the mix of offers do not move the index. A day is published once it is over and all its snapshots are loaded. A
published vintage never changes. If the data change later, for example by an import, the day gets another vintage with a reason.`

/** The GPU name under which the tables hold the index of the whole market. */
const marketName = ''

export const indexRoute = marketRoute({
  path: 'index',
  operationId: 'getGpuIndex',
  summary: 'GPU price index',
  description,
  query: indexQuery,
  answer: indexAnswer,
  withoutMachine: { market: null, gpus: {} },
  resolve(query, moment) {
    const market = query.market === 'true'
    const gpu_name = market ? [] : query.gpu_name
    return { ...resolveDays({ ...query, gpu_name }, moment), market }
  },
  open:
    ({ clickhouse }) =>
    (question) =>
      queryIndex(clickhouse, question),
})

/** A row of index/days. */
interface Day {
  gpu_name: string
  day: number
  level: number | null
  base: number | null
  ln_link: number | null
  machines: number
  matched_share: number
  drift: number | null
  edition: number
  hash: string
}

const empty = (): PriceIndex => ({
  timestamps: [],
  level: [],
  base: [],
  ln_link: [],
  machines: [],
  matched_share: [],
  drift: [],
  edition: [],
  hash: [],
  revisions: [],
})

async function queryIndex(
  clickhouse: ClickHouse,
  { names, known, from, to, market }: DaysQuestion & { market: boolean },
) {
  const parameters = { names: market ? [marketName] : known, from, to }
  const [rows, editions] = await Promise.all([
    selectRows<Day>(clickhouse, 'index/days', parameters),
    selectRows<{ gpu_name: string } & PriceIndex['revisions'][number]>(
      clickhouse,
      'index/editions',
      parameters,
    ),
  ])
  const gpus = byName(market ? [marketName] : names, empty)
  for (const { gpu_name, day, ...figures } of rows) {
    const index = gpus[gpu_name]
    index?.timestamps.push(day)
    index?.level.push(figures.level)
    index?.base.push(figures.base)
    index?.ln_link.push(figures.ln_link)
    index?.machines.push(figures.machines)
    index?.matched_share.push(figures.matched_share)
    index?.drift.push(figures.drift)
    index?.edition.push(figures.edition)
    index?.hash.push(figures.hash)
  }
  for (const { gpu_name, ...edition } of editions) gpus[gpu_name]?.revisions.push(edition)
  return market ? { market: gpus[marketName] ?? empty(), gpus: {} } : { market: null, gpus }
}
