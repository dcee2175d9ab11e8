import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { historyQuery } from '../../../contract/history.ts'
import { isHourly, ladder } from '../../../contract/ladder.ts'
import { type GpuRevenue, revenueAnswer } from '../../../contract/revenue.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { firstSentence, type MarketOptions, type Moment, openAnswers } from '../answer-cache.ts'
import { byName, parametersOf, selectHistogram } from '../histogram.ts'
import { ask, type Question } from '../history/resolve-question.ts'
import { seenOf } from '../history/seen.ts'
import { timelineOf } from '../history/timeline.ts'

const description = `What a GPU on the market earned, per GPU type: revenue per available GPU (RevPAG), the mean price of rented GPUs (ADR)
and occupancy. RevPAG = ADR × occupancy.

Parameters, buckets and headers are those of the history. Buckets are of whole hours: any other step is raised to the next whole hour.
Every figure pools all market snapshots of the bucket.`

/** A row of revenue/buckets.sql. */
interface Bucket {
  gpu_name: string
  start: number
  rented_gpus: number
  all_gpus: number
  paid: number
}

/** GET /api/v0/metrics/gpu/revenue. */
export const revenueRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const send = openAnswers(options, async (question: Question, moment) => {
    const gpus = await queryRevenue(options.clickhouse, question, moment)
    return {
      step: question.step,
      answer: { success: true, needs_machine: false, gpus } satisfies z.infer<typeof revenueAnswer>,
    }
  })

  app.get(
    '/api/v0/metrics/gpu/revenue',
    {
      config: { permissions: ['machine_read'], access: 'host', withoutMachine: { gpus: {} } },
      schema: {
        operationId: 'getGpuRevenue',
        summary: 'GPU revenue and occupancy',
        description,
        tags: ['metrics'],
        querystring: historyQuery,
        response: { 200: revenueAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async (request, reply) => {
      return send(request, reply as FastifyReply, (moment) => ask(request.query, moment, { unit: 3600 }))
    },
  )
}

async function queryRevenue(
  clickhouse: ClickHouse,
  question: Question,
  { slots: all, names, state }: Moment,
): Promise<Record<string, GpuRevenue>> {
  const isSummed = question.from >= state.summed_since
  const statement = loadSql(`clickhouse/queries/revenue/${isSummed ? 'buckets' : 'from_hours'}`)
  const stored_step = ladder.findLast((step) => isHourly(step) && question.step % step === 0) ?? 3600
  const buckets = await selectHistogram<Bucket>(clickhouse, statement, {
    ...parametersOf(question),
    stored_step,
  })
  const withRows = buckets.map(({ gpu_name }) => gpu_name)
  const seen = await seenOf({ clickhouse, names }, question, { withRows, stored_step: 3600 })
  const { start, slots } = timelineOf(all, question)
  const gpus = byName(question.names, (name): GpuRevenue => {
    const points = seen.has(name) ? start : []
    const nulls = () => new Array<number | null>(points.length).fill(null)
    const pointSlots = points.length > 0 ? slots : []
    return { timestamps: points, revpag: nulls(), adr: nulls(), occupancy: nulls(), slots: pointSlots }
  })
  const indexOf = new Map(start.map((bucket, index) => [bucket, index]))
  for (const { gpu_name, start: bucket, rented_gpus, all_gpus, paid } of buckets) {
    const index = indexOf.get(bucket)
    const gpu = gpus[gpu_name]
    if (index === undefined || !gpu || gpu.timestamps.length === 0) continue
    gpu.revpag[index] = paid / all_gpus
    gpu.adr[index] = rented_gpus === 0 ? null : paid / rented_gpus
    gpu.occupancy[index] = rented_gpus / all_gpus
  }
  return gpus
}
