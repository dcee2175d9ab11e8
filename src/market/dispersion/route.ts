import { dispersionAnswer, type GpuDispersion } from '../../../contract/dispersion.ts'
import { type GpuHistory, historyQuery } from '../../../contract/history.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { queryHistory } from '../history/fetch-points.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion, type SeriesQuestion } from '../market-query/resolve.ts'
import { byName } from '../market-query/select.ts'
import { openVolatility } from './volatility.ts'

const description = `How widely the available prices of a GPU type are dispersed, and how volatile its median is. Parameters, buckets and headers are as for the history. The step is rounded up to whole hours.`

const [day, week] = [24, 168]

export const dispersionRoute = marketRoute({
  path: 'dispersion',
  isOfCube: true,
  operationId: 'getGpuDispersion',
  summary: 'GPU price dispersion and volatility',
  description,
  query: historyQuery,
  answer: dispersionAnswer,
  resolve: (query, moment) => resolveQuestion(query, moment, { unit: 3600 }),
  open:
    ({ clickhouse }) =>
    async (question, moment) => {
      const [{ step, gpus: histories }, medians] = await Promise.all([
        queryHistory({ clickhouse, ...moment }, question),
        selectMedians(clickhouse, question),
      ])
      const newest = floorTo(3600, moment.state.newest_slot) + 3600
      const gpus = byName(question.names, (name) =>
        dispersionOf(histories[name]?.pricing, medians.get(name), { step, newest }),
      )
      return { step, gpus }
    },
})

/** The hourly medians by name and hour, from a week before the range. */
async function selectMedians(clickhouse: ClickHouse, { known, from, to, ...question }: SeriesQuestion) {
  const rows = await selectRows<{ gpu_name: string; hour: number; median: number }>(
    clickhouse,
    'dispersion/medians',
    {
      names: known,
      to,
      ...filterOf(question),
      from: Math.max(0, from - (week + 1) * 3600),
    },
  )
  const medians = new Map(known.map((name) => [name, new Map<number, number>()]))
  for (const { gpu_name, hour, median } of rows) medians.get(gpu_name)?.set(hour, median)
  return medians
}

function dispersionOf(
  pricing: GpuHistory['pricing'] | undefined,
  medians: ReadonlyMap<number, number> = new Map(),
  { step, newest }: { step: number; newest: number },
): GpuDispersion {
  const { timestamps = [], avail_p10 = [], avail_median = [], avail_p90 = [] } = pricing ?? {}
  const volatility = openVolatility(medians)
  // The current time cuts the last bucket short.
  const moved = (hours: number) =>
    timestamps.map((start) => volatility({ end: Math.min(start + step, newest), hours }))
  return {
    timestamps,
    dispersion: timestamps.map((_, index) => {
      const [low, median, high] = [avail_p10[index], avail_median[index], avail_p90[index]]
      return low == null || high == null || !median ? null : (high - low) / median
    }),
    volatility_24h: moved(day),
    volatility_7d: moved(week),
  }
}
