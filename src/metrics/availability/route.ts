import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import {
  availabilityAnswer,
  availabilityQuery,
  type GpuAvailability,
} from '../../../contract/availability.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { firstSentence, type MarketOptions, type Moment, openAnswers } from '../answer-cache.ts'
import { byName, parametersOf, selectHistogram } from '../histogram.ts'
import { ask, type Question as RangeQuestion } from '../history/resolve-question.ts'
import { seenOf } from '../history/seen.ts'
import { timelineOf } from '../history/timeline.ts'

const description = `How often so many GPUs were available, and at which price: the share of the hours of the range in which the cheapest
\`gpus\` GPUs cost \`price\` or less each, and the price duration curve over all prices.

The range is widened to whole hours, and counts of an hour are means over its market snapshots.`

interface Question extends RangeQuestion {
  gpus: number
  price: number | undefined
}

/** GET /api/v0/metrics/gpu/availability. */
export const availabilityRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const send = openAnswers(options, async (question: Question, moment) => {
    const gpus = await queryAvailability(options.clickhouse, question, moment)
    return {
      answer: { success: true, needs_machine: false, gpus } satisfies z.infer<typeof availabilityAnswer>,
    }
  })

  app.get(
    '/api/v0/metrics/gpu/availability',
    {
      config: { permissions: ['machine_read'], access: 'host', withoutMachine: { gpus: {} } },
      schema: {
        operationId: 'getGpuAvailability',
        summary: 'GPU availability at a price',
        description,
        tags: ['metrics'],
        querystring: availabilityQuery,
        response: { 200: availabilityAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async (request, reply) => {
      const { gpus, price, ...query } = request.query
      return send(request, reply as FastifyReply, (moment) => ({
        // The answer has no series, so that no step is too fine.
        ...ask({ ...query, step: 3600 }, moment, { seriesPerName: 0, points: Number.POSITIVE_INFINITY }),
        gpus,
        price,
      }))
    },
  )
}

async function queryAvailability(
  clickhouse: ClickHouse,
  question: Question,
  { slots, names }: Moment,
): Promise<Record<string, GpuAvailability>> {
  const { gpus, price: limit } = question
  const rows = await selectHistogram<{ gpu_name: string; price: number }>(
    clickhouse,
    loadSql('clickhouse/queries/availability/marginal'),
    { ...parametersOf(question), gpus },
  )
  const withRows = rows.map(({ gpu_name }) => gpu_name)
  const seen = await seenOf({ clickhouse, names }, question, { withRows, stored_step: 3600 })
  const { start } = timelineOf(slots, question)
  const pricesOf = new Map(question.known.map((name) => [name, [] as number[]]))
  for (const { gpu_name, price } of rows) pricesOf.get(gpu_name)?.push(price)
  return byName(question.names, (name): GpuAvailability => {
    const hours = seen.has(name) ? start.length : 0
    if (hours === 0) return { hours, share: null, duration: [] }
    const prices = (pricesOf.get(name) ?? []).sort((a, b) => a - b)
    const share = limit === undefined ? null : prices.filter((price) => price <= limit).length / hours
    const duration = Array.from(
      { length: 100 },
      (_, index) => prices[Math.ceil(((index + 1) * hours) / 100) - 1] ?? null,
    )
    return { hours, share, duration }
  })
}
