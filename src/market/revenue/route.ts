import { hour } from '../../../contract/durations.ts'
import { historyQuery } from '../../../contract/history.ts'
import { ladderStepOf } from '../../../contract/ladder.ts'
import { type GpuRevenue, revenueAnswer } from '../../../contract/revenue.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { shownCells } from '../market-query/contract-prices.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion, type SeriesQuestion } from '../market-query/resolve.ts'
import { seenOf } from '../market-query/seen.ts'
import { byName, parametersOf, selectHistogram } from '../market-query/select.ts'
import { timelineOf } from '../market-query/timeline.ts'

const description = `What the GPUs on the market earned, per GPU type: revenue per available GPU (RevPAG), the mean price of rented GPUs (ADR) and
occupancy. RevPAG = ADR × occupancy.

Parameters, buckets and headers are those of the history. The step is rounded up to whole hours.
Every figure pools all market snapshots of the bucket. Where the rented GPUs are on few machines or hosts, there is no mean price and no RevPAG.`

/** A row of revenue/buckets. */
interface Bucket {
  gpu_name: string
  start: number
  rented_gpus: number
  all_gpus: number
  paid: number
}

export const revenueRoute = marketRoute({
  path: 'revenue',
  isOfCube: true,
  operationId: 'getGpuRevenue',
  summary: 'GPU revenue and occupancy',
  description,
  query: historyQuery,
  answer: revenueAnswer,
  resolve: (query, moment) => resolveQuestion(query, moment, { unit: hour }),
  open:
    ({ clickhouse }) =>
    async (question, moment) => ({
      step: question.step,
      gpus: await queryRevenue(clickhouse, question, moment),
    }),
})

async function queryRevenue(
  clickhouse: ClickHouse,
  question: SeriesQuestion,
  { slots: all, names, state }: MarketState,
): Promise<Record<string, GpuRevenue>> {
  const stored_step = ladderStepOf(question.step) ?? hour
  const buckets = await selectHistogram<Bucket>(clickhouse, 'revenue/buckets', {
    ...parametersOf(question),
    stored_step,
  })
  const shown = await shownCells({ clickhouse, state }, { ...question, names: question.known })
  const withRows = buckets.map(({ gpu_name }) => gpu_name)
  const seen = await seenOf({ clickhouse, names }, question, { withRows, stored_step: hour })
  const { start, slots } = timelineOf(all, question)
  const gpus = byName(question.names, (name): GpuRevenue => {
    const points = seen.has(name) ? start : []
    const nulls = () => new Array<number | null>(points.length).fill(null)
    const pointSlots = points.length > 0 ? slots : []
    return {
      timestamps: points,
      revpag: nulls(),
      adr: nulls(),
      occupancy: nulls(),
      reason: points.map(() => null),
      slots: pointSlots,
    }
  })
  const indexOf = new Map(start.map((bucket, index) => [bucket, index]))
  for (const { gpu_name, start: bucket, rented_gpus, all_gpus, paid } of buckets) {
    const index = indexOf.get(bucket)
    const gpu = gpus[gpu_name]
    if (index === undefined || !gpu || gpu.timestamps.length === 0) continue
    if (!state.has_rentals) {
      gpu.reason[index] = 'no_rentals_known'
      continue
    }
    const isHidden = rented_gpus > 0 && !shown.has(gpu_name, bucket)
    gpu.adr[index] = rented_gpus === 0 || isHidden ? null : paid / rented_gpus
    gpu.revpag[index] = isHidden ? null : paid / all_gpus
    gpu.occupancy[index] = rented_gpus / all_gpus
    gpu.reason[index] = isHidden ? 'few_hosts' : null
  }
  return gpus
}
