import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { historyAnswer, historyQuery } from '../../../contract/history.ts'
import { firstSentence, type MarketOptions, openAnswers } from '../answer-cache.ts'
import { queryHistory } from './fetch-points.ts'
import { openLatest } from './latest.ts'
import { ask, type Question } from './resolve-question.ts'

type HistoryAnswer = z.infer<typeof historyAnswer>

const description = `Time series of supply and demand, price percentiles and performance per GPU type.

A bucket is [k·step, (k+1)·step) in unix seconds, and its timestamp is its start. The answer has every bucket that the range touches, as a
whole. There is a point for each bucket with a market snapshot, the same points for every GPU, so \`supply_demand\` and \`pricing\` line up.
Counts are those of the bucket's last snapshot. Percentiles are over all its snapshots, exact and weighted by GPUs; null means that no GPU was
in that state in the bucket.

Headers: \`ETag\` (with \`If-None-Match\`, an unchanged answer is a 304), \`Rackrate-Step\` (the step of the answer, which is larger than
the requested one when that would give too many points), \`Rackrate-Newest-Slot\` and \`Rackrate-Data-Age\` (time of the newest market
snapshot in unix seconds, and its age in seconds), \`Rackrate-Simulated: true\` when the range holds data of a simulated market.`

/** GET /api/v0/metrics/gpu/history (docs/api/history.md). */
export const historyRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const { clickhouse } = options
  const latest = openLatest(clickhouse)
  const send = openAnswers(options, async (question: Question, { state, names, slots }) => {
    const source = { clickhouse, latest, state, slots, names }
    const { step, gpus } = await queryHistory(source, question)
    return { step, answer: { success: true, needs_machine: false, gpus } satisfies HistoryAnswer }
  })

  app.get(
    '/api/v0/metrics/gpu/history',
    {
      config: { permissions: ['machine_read'], access: 'host', withoutMachine: { gpus: {} } },
      schema: {
        operationId: 'getGpuHistory',
        summary: 'GPU price and supply history',
        description,
        tags: ['metrics'],
        querystring: historyQuery,
        response: { 200: historyAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async (request, reply) => {
      return send(request, reply as FastifyReply, (moment) => ask(request.query, moment))
    },
  )
}
