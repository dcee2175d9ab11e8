import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { historyAnswer, historyQuery } from '../../../contract/history.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { Series } from '../series-state.ts'
import { type Answer, openAnswers } from './answers.ts'
import { ask } from './question.ts'

const description = `Time series of supply and demand, price percentiles and performance per GPU type.

A bucket is [k·step, (k+1)·step) in unix seconds, and its timestamp is its start. The answer has every bucket that the range touches, as a
whole. There is a point for each bucket with a market snapshot, the same points for every GPU, so \`supply_demand\` and \`pricing\` line up.
Counts are those of the bucket's last snapshot. Percentiles are over all its snapshots, exact and weighted by GPUs; null means that no GPU was
in that state in the bucket.

Headers: \`ETag\` (with \`If-None-Match\`, an unchanged answer is a 304), \`Rackrate-Step\` (the step of the answer, which is larger than
the requested one when that would give too many points), \`Rackrate-Newest-Slot\` and \`Rackrate-Data-Age\` (time of the newest market
snapshot in unix seconds, and its age in seconds), \`Rackrate-Simulated: true\` when the range holds data of a simulated market.`

export interface HistoryOptions {
  clickhouse: ClickHouse
  series: Series
  /** Seconds between slots. */
  snapshotInterval: number
}

/** GET /api/v0/metrics/gpu/history (docs/api/history.md). */
export const historyRoute: FastifyPluginAsyncZod<HistoryOptions> = async (
  app,
  { clickhouse, series, snapshotInterval },
) => {
  const answers = openAnswers(clickhouse)

  app.get(
    '/api/v0/metrics/gpu/history',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        summary: 'GPU price and supply history',
        description,
        tags: ['metrics'],
        querystring: historyQuery,
        response: { 200: historyAnswer },
      },
      // The messages of the contract are whole sentences: no path in front of them.
      schemaErrorFormatter: ([first]) => invalidArgs(first?.message ?? 'Invalid query'),
    },
    async (request, reply) => {
      const { caller } = request
      if (!caller.isAdmin && !caller.hasActiveMachine)
        return { success: true as const, needs_machine: true, gpus: {} }

      const now = Math.floor(Date.now() / 1000)
      const state = await series.state()
      const question = ask(request.query, state, await series.names(), snapshotInterval, now)
      const answer = await answers(question, state.revision)

      reply.headers({
        etag: answer.etag,
        // The answer may change with the next slot and hardly before.
        'cache-control': `private, max-age=${snapshotInterval - (now % snapshotInterval)}`,
        vary: 'authorization, accept-encoding',
        'rackrate-step': answer.step,
        'rackrate-newest-slot': state.newest_slot,
        'rackrate-data-age': Math.max(0, now - state.newest_slot),
      })
      if (question.from <= state.simulated_to && question.to > state.simulated_from)
        reply.header('rackrate-simulated', 'true')
      return sendAnswer(request, reply as FastifyReply, answer)
    },
  )
}

// The answer was validated when it was made; a buffer passes the serializer untouched.
function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
  if (matches(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
  reply.type('application/json; charset=utf-8')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(answer.body)
  return reply.header('content-encoding', 'gzip').send(answer.gzip)
}

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false
