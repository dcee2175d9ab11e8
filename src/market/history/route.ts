import { type GpuHistory, historyAnswer, historyQuery } from '../../../contract/history.ts'
import { tierOfFilter } from '../../../contract/market-filter.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion } from '../market-query/resolve.ts'
import { queryHistory } from './fetch-points.ts'

const description = `Time series of supply and demand, price percentiles and performance per GPU type.

A bucket is [k·step, (k+1)·step) in unix seconds, and its timestamp is its start. The answer includes every bucket that the range touches, as a whole.
There is one point per bucket with a market snapshot, and every GPU has the same points, so \`supply_demand\` and \`pricing\` line up. Counts are
those of the bucket's last snapshot. Percentiles are exact, over all its snapshots and weighted by GPUs; null means that no GPU was in that state in
the bucket.

Headers: \`ETag\` (with \`If-None-Match\`, an unchanged answer is a 304), \`Rackrate-Step\` (the step of the answer, which is larger than
the requested one when that would give too many points), \`Rackrate-Newest-Slot\` and \`Rackrate-Data-Age\` (time of the newest market
snapshot in unix seconds, and its age in seconds), \`Rackrate-Simulated: true\` when the range holds data of a simulated market.`

export const historyRoute = marketRoute({
  path: 'history',
  isOfCube: true,
  operationId: 'getGpuHistory',
  summary: 'GPU price and supply history',
  description,
  query: historyQuery,
  answer: historyAnswer,
  resolve: resolveQuestion,
  open:
    ({ clickhouse }) =>
    async (question, moment) => {
      const { step, gpus } = await queryHistory({ clickhouse, ...moment }, question)
      // The difference of two tiers could show the price of a few contracts.
      const isHidden = moment.state.is_own && tierOfFilter(question.verified) !== undefined
      if (isHidden) for (const { pricing } of Object.values(gpus)) hideRented(pricing)
      return { step, gpus }
    },
})

function hideRented(pricing: GpuHistory['pricing']): void {
  for (const name of ['rented_p10', 'rented_median', 'rented_p90'] as const)
    pricing[name] = pricing[name].map(() => null)
}
