import { historyQuery } from '../../../contract/history.ts'
import { ceilTo, ladderStepOf, slotStep } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type GpuThin, thinAnswer } from '../../../contract/thin.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { MarketState } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion, type SeriesQuestion } from '../market-query/resolve.ts'
import { byName } from '../market-query/select.ts'
import { timelineOf } from '../market-query/timeline.ts'
import { selectStoredThin, selectThin } from './buckets.ts'

const description = `Flags for percentiles of the history that come from few machines or hosts. Parameters, buckets and points are as for the history. Use the step of the history's answer, which is in its header \`Rackrate-Step\`.`

export const thinRoute = marketRoute({
  path: 'thin',
  isOfCube: true,
  operationId: 'getThinGpuPrices',
  summary: 'Prices of few machines',
  description,
  query: historyQuery,
  answer: thinAnswer,
  resolve: resolveQuestion,
  open:
    ({ clickhouse }) =>
    async (question, moment) => ({
      step: question.step,
      gpus: await queryThin(clickhouse, question, moment),
    }),
})

async function queryThin(
  clickhouse: ClickHouse,
  question: SeriesQuestion,
  { slots, state }: MarketState,
): Promise<Record<string, GpuThin>> {
  const { names, known, step, to } = question
  const from = Math.max(question.from, ceilTo(step, state.observed_since))
  const asked = { names: known, ...filterOf(question), step, from, to }
  const { start: timestamps, single } = timelineOf(slots, question)
  const buckets = known.length > 0 && from < to ? await selectMarks(clickhouse, asked, single) : []
  const seen = new Set(known)
  const gpus = byName(names, (name): GpuThin => {
    const points = seen.has(name) ? timestamps : []
    const nulls = () => new Array<boolean | null>(points.length).fill(null)
    return { timestamps: points, rented_thin: nulls(), avail_thin: nulls() }
  })
  const indexOf = new Map(timestamps.map((start, index) => [start, index]))
  for (const { gpu_name, start, rented_thin, avail_thin } of buckets) {
    const index = indexOf.get(start)
    const gpu = gpus[gpu_name]
    if (index === undefined || !gpu) continue
    gpu.rented_thin[index] = rented_thin
    gpu.avail_thin[index] = avail_thin
  }
  return gpus
}

function selectMarks(clickhouse: ClickHouse, asked: Parameters<typeof selectThin>[1], single: boolean) {
  const stored_step = single ? slotStep : ladderStepOf(asked.step)
  return stored_step === undefined
    ? selectThin(clickhouse, asked)
    : selectStoredThin(clickhouse, { ...asked, stored_step })
}
