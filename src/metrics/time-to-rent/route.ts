import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { type GpuTimeToRent, timeToRentAnswer, timeToRentQuery } from '../../../contract/time-to-rent.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { firstSentence, type MarketOptions, openAnswers } from '../answer-cache.ts'
import { askFill, type FillQuestion } from '../fill/route.ts'
import { byName, selectHistogram } from '../histogram.ts'
import { survivalOf } from '../survival.ts'

const description = `How long machines of one GPU type have GPUs available until the first of them is rented, by age: the share that waits longer,
with its 95 % interval. A wait that nobody saw the end of counts for as long as it was seen. At most 31 days, in whole hours.`

/** A window over more takes seconds. */
const maxRowsToRead = 10_000_000
/** Intervals between two slots without a gap between them, as in ingest/write-series.ts. */
const intervalsOfPair = 3

/** A row of fill/spells.sql. */
interface Spells {
  seconds: number
  rented_from: boolean
  spells: number
}

/** GET /api/v0/metrics/gpu/time-to-rent. */
export const timeToRentRoute: FastifyPluginAsyncZod<MarketOptions> = async (app, options) => {
  const { clickhouse, snapshotInterval } = options
  const querySpells = (name: string, { names: _, known: __, ...rest }: FillQuestion) =>
    selectHistogram<Spells>(
      clickhouse,
      loadSql('clickhouse/queries/fill/spells'),
      { name, ...rest, longest: intervalsOfPair * snapshotInterval },
      maxRowsToRead,
    )
  const send = openAnswers(options, async (question: FillQuestion) => {
    const [name = ''] = question.names
    const answer = answerOf(question, await querySpells(name, question))
    const gpus = byName(question.names, () => answer)
    return {
      answer: { success: true, needs_machine: false, gpus } satisfies z.infer<typeof timeToRentAnswer>,
    }
  })

  app.get(
    '/api/v0/metrics/gpu/time-to-rent',
    {
      config: { permissions: ['machine_read'], access: 'host', withoutMachine: { gpus: {} } },
      schema: {
        operationId: 'getGpuTimeToRent',
        summary: 'Time to the first rental',
        description,
        tags: ['metrics'],
        querystring: timeToRentQuery,
        response: { 200: timeToRentAnswer },
      },
      schemaErrorFormatter: firstSentence,
    },
    async (request, reply) => {
      return send(request, reply as FastifyReply, (moment) => {
        const question = askFill(request.query, moment)
        return {
          ...question,
          from: Math.min(question.to, Math.max(question.from, moment.state.observed_since)),
        }
      })
    },
  )
}

function answerOf({ from, to }: FillQuestion, rows: readonly Spells[]): GpuTimeToRent {
  const count = (some: readonly Spells[]) => some.reduce((sum, { spells }) => sum + spells, 0)
  const { median, ages, ...shares } = survivalOf(
    rows.map(({ seconds, rented_from, spells }) => ({
      ...{ from: 0, to: seconds / 3600 },
      ...{ happened: rented_from, subjects: spells },
    })),
  )
  return {
    ...{ from, to },
    ...{ spells: count(rows), rented: count(rows.filter(({ rented_from }) => rented_from)) },
    ...{ median_hours: median, hours: ages },
    ...shares,
  }
}
