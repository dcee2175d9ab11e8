import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { fillAnswer, fillQuery, type GpuFill } from '../../../contract/fill.ts'
import { wholeBuckets } from '../../../contract/ladder.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { firstSentence, type MarketOptions, type Moment, openAnswers } from '../answer-cache.ts'
import { byName, selectHistogram } from '../histogram.ts'
import { resolveNames, within } from '../history/resolve-question.ts'
import { timelineOf } from '../history/timeline.ts'
import { type PositionRow, sumPositions } from './sum-positions.ts'

const description = `How fast GPUs are rented at each price position, per GPU type: the rate of renting with its 95 % interval, the hours
that renting takes, and the occupancy to expect at that rate.

What happened between a snapshot and the next is counted. A rental that ends and another that begins on the same machine in between cancel.
The rates are observed and not causal: compare machines of one class by filtering. They suppose that GPUs are rented one by one. With rentals
of several GPUs at once the intervals are too narrow.`

type Query = z.infer<typeof fillQuery>

export type FillQuestion = ReturnType<typeof askFill>

const week = 7 * 86_400

/** The question of a query string, over whole hours. */
export function askFill({ gpu_name, start, end, ...filter }: Query, { state, names, now }: Moment) {
  const to = end ?? now
  const from = start ?? Math.max(0, to - week)
  return {
    ...filter,
    ...resolveNames(gpu_name, names),
    ...within(3600, wholeBuckets(3600, { from, to }), state),
  }
}

/** GET /api/v0/metrics/gpu/fill. */
export const fillRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const send = openAnswers(options, async (question: FillQuestion, moment) => {
    const gpus = await queryFill(options.clickhouse, question, moment)
    return { answer: { success: true, needs_machine: false, gpus } satisfies z.infer<typeof fillAnswer> }
  })

  app.get(
    '/api/v0/metrics/gpu/fill',
    {
      config: { permissions: ['machine_read'], access: 'host', withoutMachine: { gpus: {} } },
      schema: {
        operationId: 'getGpuFill',
        summary: 'GPU fill rates by price',
        description,
        tags: ['metrics'],
        querystring: fillQuery,
        response: { 200: fillAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async (request, reply) => {
      return send(request, reply as FastifyReply, (moment) => askFill(request.query, moment))
    },
  )
}

async function queryFill(
  clickhouse: ClickHouse,
  { names, known, ...rest }: FillQuestion,
  { slots: all }: Moment,
): Promise<Record<string, GpuFill>> {
  const { from, to } = rest
  const statement = loadSql('clickhouse/queries/fill/positions')
  const parameters = { names: known, ...rest }
  const rows = await selectHistogram<PositionRow & { gpu_name: string }>(clickhouse, statement, parameters)
  const { slots: inHours } = timelineOf(all, { step: 3600, from, to })
  const slots = inHours.reduce((sum, inHour) => sum + inHour, 0)
  return byName(names, (name) => ({
    ...{ from, to, slots },
    ...sumPositions(rows.filter(({ gpu_name }) => gpu_name === name)),
  }))
}
