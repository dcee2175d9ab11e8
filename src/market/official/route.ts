import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { day, hour } from '../../../contract/durations.ts'
import { historyQuery } from '../../../contract/history.ts'
import { countFigures, priceFigures } from '../../../contract/history-figures.ts'
import { ceilTo, wholeBuckets } from '../../../contract/ladder.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { type OfficialHistory, officialAnswer } from '../../../contract/official.ts'
import { recordOf } from '../../../contract/records.ts'
import type { Clock } from '../../../platform/clock.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { firstSentence, refuseFuture } from '../market-query/answers.ts'
import { maxPoints, maxPointsTogether, resolveNames } from '../market-query/resolve.ts'
import { byName } from '../market-query/select.ts'
import type { SeriesView } from '../market-query/series.ts'

interface Options {
  clickhouse: ClickHouse
  series: SeriesView
  clock: Clock
}

const description = `Aggregates of the market as another server reports them: counts of machines and GPUs, and percentiles of prices, for the time before the own observations (\`rackrate import market\`).
They are not computed from observations, and are never mixed with them. Counts are of the newest row of a bucket. Percentiles of a bucket with several rows are means, weighted by GPUs.
With filters other than \`verified\` the series are empty, because the server is not asked with them.`

type Point = { gpu_name: string; start: number } & Record<(typeof countFigures)[number], number> &
  Record<(typeof priceFigures)[number], number | null>

/** GET /api/v0/metrics/gpu/official */
export const officialRoute: FastifyPluginAsyncZod<Options> = async (app, { clickhouse, series, clock }) => {
  app.get(
    '/api/v0/metrics/gpu/official',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        withoutMachine: { before: null, step: hour, gpus: {} },
      },
      schema: {
        operationId: 'getOfficialHistory',
        summary: 'Official history of supply and prices',
        description,
        tags: ['metrics'],
        querystring: historyQuery,
        response: { 200: officialAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async ({ query }, reply) => {
      const now = Math.floor(clock.now())
      refuseFuture(query, now)
      const [{ first_slot }, all] = await Promise.all([
        series.state(),
        selectRows<{ name: string }>(clickhouse, 'official/names'),
      ])
      const { names, known } = resolveNames(query.gpu_name, all)
      const range = rangeOf(query, names.length, now)
      const { verified, ...others } = filterParameters(query)
      const isAnswered = Object.values(others).every((value) => value === 'all')
      const points =
        isAnswered && known.length > 0
          ? await selectRows<Point>(clickhouse, 'official/points', { names: known, verified, ...range })
          : []
      const pointsOf = groupBy(points, ({ gpu_name }) => gpu_name)
      const answer = {
        success: true,
        needs_machine: false,
        before: first_slot || null,
        step: range.step,
        gpus: byName(names, (name) => historyOf(pointsOf.get(name) ?? [])),
      }
      // A buffer bypasses the serializer of JSON.
      return (reply as FastifyReply)
        .type('application/json; charset=utf-8')
        .send(Buffer.from(JSON.stringify(answer)))
    },
  )
}

/** The range in whole buckets. The step is raised when there would be too many points. */
function rangeOf(
  { start, end, step }: { start?: number | undefined; end?: number | undefined; step?: number | undefined },
  names: number,
  now: number,
) {
  const to = end ?? now
  const from = start ?? Math.max(0, to - day)
  const most = Math.min(maxPoints, maxPointsTogether / Math.max(1, names))
  const wanted = step ?? ceilTo(hour, Math.max(1, (to - from) / 500))
  const least = (to - from) / most
  const used = wanted >= least ? wanted : ceilTo(hour, least)
  return { step: used, ...wholeBuckets(used, { from, to: Math.max(to, from + 1) }) }
}

const historyOf = (points: readonly Point[]): OfficialHistory => {
  const timestamps = points.map(({ start }) => start)
  return {
    supply_demand: {
      timestamps,
      bucket_size: 1,
      ...recordOf(countFigures, (figure) => points.map((point) => point[figure])),
    },
    pricing: { timestamps, ...recordOf(priceFigures, (figure) => points.map((point) => point[figure])) },
  }
}
