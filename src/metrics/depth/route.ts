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

const description = `The order book of one market snapshot: how many GPUs are available, and how many are rented, at each price. With
\`gpus\`, also what so many of the cheapest available GPUs cost.`

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
  if (from >= state.first_slot && from < state.observed_since)
    throw invalidArgs(`Observations before ${state.observed_since} are no longer kept`)
  return { ...query, ...resolveNames(gpu_name, names), from, to: from + 1 }
}

/** GET /api/v0/metrics/gpu/depth. */
export const depthRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const send = openAnswers(options, async (question: Question, { slots }) => {
    const answer = await queryDepth(options.clickhouse, slots, question)
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

/** A row of depth/book.sql. */
interface Level {
  gpu_name: string
  price: number
  available: number
  rented_gpus: number
}

async function queryDepth(clickhouse: ClickHouse, slots: Uint32Array, question: Question) {
  const { names, known, from, gpus: wanted, ...rest } = question
  const { verified, hosting_type, num_gpus, per_machine } = rest
  const slot = slotAt(slots, from)
  const levels = await selectRows<Level>(clickhouse, loadSql('clickhouse/queries/depth/book'), {
    ...{ names: known, verified, hosting_type, num_gpus, per_machine },
    slot: slot ?? 0,
  })
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
