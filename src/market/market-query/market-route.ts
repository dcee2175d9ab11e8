import type { FastifyPluginAsync, FastifySchema } from 'fastify'
import type { z } from 'zod'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { answerHeaders, firstSentence, type MarketOptions, type MarketState, openAnswers } from './answers.ts'

export interface MarketRouteOptions extends MarketOptions {
  postgres: Postgres
}

interface Envelope {
  success: true
  needs_machine: boolean
}

interface MarketRoute<Query extends z.ZodType, Answer extends z.ZodType<Envelope>, Question> {
  /** The end of the path. */
  path: string
  operationId: string
  summary: string
  description: string
  query?: Query
  answer: Answer
  /** Seconds of the periods that answers cover, if these are not slots. */
  lasts?: number
  /** The answer for a host without active machines. */
  withoutMachine?: object
  resolve(query: z.output<Query>, moment: MarketState): Question
  /** Opens the function that answers queries about a market. It returns the fields of the answer, and its step if it has one. */
  open(
    market: MarketRouteOptions,
  ): (
    question: Question,
    moment: MarketState,
  ) => Promise<Omit<z.output<Answer>, keyof Envelope> & { step?: number }>
}

/** GET /api/v0/metrics/gpu/<path>: an endpoint about the market. */
export function marketRoute<
  Query extends z.ZodType,
  Answer extends z.ZodType<Envelope>,
  Question extends { from: number; to: number },
>(route: MarketRoute<Query, Answer, Question>): FastifyPluginAsync<MarketRouteOptions> {
  const { path, query, answer, lasts, withoutMachine = { gpus: {} }, resolve, open, ...documented } = route
  return async (app, market) => {
    const fieldsOf = open(market)
    const make = async (question: Question, moment: MarketState) => {
      const { step, ...fields } = await fieldsOf(question, moment)
      return { step, answer: { success: true, needs_machine: false, ...fields } }
    }
    const send = openAnswers(market, make, lasts)
    const schema: FastifySchema = {
      ...documented,
      tags: ['metrics'],
      ...(query && { querystring: query }),
      response: { 200: answer },
    }
    app.get(
      `/api/v0/metrics/gpu/${path}`,
      {
        config: { permissions: ['machine_read'], access: 'host', withoutMachine, headers: answerHeaders },
        schema,
        schemaErrorFormatter: firstSentence,
      },
      async (request, reply) =>
        send(request, reply, (moment) => resolve(request.query as z.output<Query>, moment)),
    )
  }
}
