import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { depthAnswer, depthQuery, type GpuDepth } from '../../../contract/depth.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { firstSentence, type MarketOptions, type Moment, openAnswers } from '../answer-cache.ts'
import { byName } from '../histogram.ts'
import { resolveNames } from '../history/resolve-question.ts'
import { slotAt } from '../history/timeline.ts'
import { cheapestOf } from './cheapest.ts'
import { bookRange, type Level, readMeanBook } from './mean-book.ts'

const description = `The order book of one market snapshot: how many GPUs are available, and how many are rented, at each price. With
\`gpus\`, also what so many of the cheapest available GPUs cost. With \`days\`, the mean of the books of so many days: that of a rare GPU
changes from snapshot to snapshot.`

type Query = z.infer<typeof depthQuery>

interface Question extends Omit<Query, 'gpu_name' | 'at'> {
  names: string[]
  known: string[]
  /** The time asked for, cut to the series. */
  from: number
  to: number
}

function ask({ gpu_name, at, ...query }: Query, { state, names }: Moment): Question {
  const from = Math.min(at ?? state.newest_slot, state.newest_slot)
  if (query.days === undefined && from >= state.first_slot && from < state.observed_since)
    throw invalidArgs(`Observations before ${state.observed_since} are no longer kept`)
  return { ...query, ...resolveNames(gpu_name, names), from, to: from + 1 }
}

/** GET /api/v0/metrics/gpu/depth. */
export const depthRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const send = openAnswers(options, async (question: Question, moment) => {
    const answer = await queryDepth(options.clickhouse, moment, question)
    return {
      answer: { success: true, needs_machine: false, ...answer } satisfies z.infer<typeof depthAnswer>,
    }
  })

  app.get(
    '/api/v0/metrics/gpu/depth',
    {
      config: { permissions: ['machine_read'], access: 'host', withoutMachine: { slot: null, gpus: {} } },
      schema: {
        operationId: 'getGpuDepth',
        summary: 'GPU order book',
        description,
        tags: ['metrics'],
        querystring: depthQuery,
        response: { 200: depthAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async (request, reply) => {
      return send(request, reply as FastifyReply, (moment) => ask(request.query, moment))
    },
  )
}

async function queryDepth(clickhouse: ClickHouse, { slots, state }: Moment, question: Question) {
  const { names, known, from, gpus: wanted, per_machine, days } = question
  const { verified, hosting_type, num_gpus } = question
  const filter = { names: known, verified, hosting_type, num_gpus }
  const slot = slotAt(slots, from)
  const book = loadSql('clickhouse/queries/depth/book')
  // No snapshot is at 0.
  const at = slot ?? 0
  const levels =
    days === undefined
      ? await selectRows<Level>(clickhouse, book, { ...filter, per_machine, slot: at })
      : await readMeanBook(clickhouse, filter, { ...bookRange(at, days), slots, state })
  const gpus = byName(names, (): GpuDepth => ({ price: [], available: [], rented: [], cheapest: null }))
  for (const { gpu_name, price, available, rented_gpus } of levels) {
    const gpu = gpus[gpu_name]
    gpu?.price.push(price)
    gpu?.available.push(available)
    gpu?.rented.push(rented_gpus)
  }
  if (wanted !== undefined) for (const gpu of Object.values(gpus)) gpu.cheapest = cheapestOf(gpu, wanted)
  return { slot: slot ?? null, gpus }
}
