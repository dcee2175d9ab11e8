import type { z } from 'zod'
import { hour, week } from '../../../contract/durations.ts'
import { fillAnswer, fillQuery, type GpuFill } from '../../../contract/fill.ts'
import { floorTo, wholeBuckets } from '../../../contract/ladder.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveNames, within } from '../market-query/resolve.ts'
import { byName, selectHistogram } from '../market-query/select.ts'
import { slotsIn } from '../market-query/timeline.ts'
import { type PositionRow, sumPositions } from './sum-positions.ts'

const description = `How fast GPUs are rented in each price decile, per GPU type: the fill rate with its 95 % interval, the mean hours until a rental,
and the expected occupancy. Changes from one snapshot to the next are counted. A rental that ends and one that starts on the same machine in between
cancel out. The rates are observational, not causal: filter to compare machines of one class. The intervals account for overdispersion, since several
GPUs are often rented at once: it is estimated as the variance of the hourly counts ÷ their mean.`

type Query = z.infer<typeof fillQuery>

export type FillQuestion = ReturnType<typeof resolveFill>

/** The query over whole hours. */
export function resolveFill({ gpu_name, start, end, ...filter }: Query, { state, names, now }: MarketState) {
  const to = end ?? now
  const from = start ?? Math.max(0, to - week)
  // The flows of an hour have what changed up to the first slot after it, which must not be hidden.
  const hidden_from = state.delay === 0 ? state.hidden_from : floorTo(hour, state.newest_slot)
  return {
    ...filter,
    ...resolveNames(gpu_name, names),
    ...within(hour, wholeBuckets(hour, { from, to }), { ...state, hidden_from }),
  }
}

export const fillRoute = marketRoute({
  path: 'fill',
  operationId: 'getGpuFill',
  summary: 'GPU fill rates by price',
  description,
  query: fillQuery,
  answer: fillAnswer,
  resolve: resolveFill,
  open:
    ({ clickhouse }) =>
    async (question, moment) => ({ gpus: await queryFill(clickhouse, question, moment) }),
})

async function queryFill(
  clickhouse: ClickHouse,
  { names, known, ...rest }: FillQuestion,
  { slots: all, state: { has_rentals } }: MarketState,
): Promise<Record<string, GpuFill>> {
  const { from, to } = rest
  const statement = 'fill/positions'
  const parameters = { names: known, ...rest }
  const rows = await selectHistogram<PositionRow & { gpu_name: string }>(clickhouse, statement, parameters)
  const slots = slotsIn(all, rest)
  return byName(names, (name) => ({
    from,
    to,
    slots,
    ...sumPositions(rows.filter(({ gpu_name }) => gpu_name === name)),
    ...(!has_rentals && { reason: 'no_rentals_known' as const }),
  }))
}
