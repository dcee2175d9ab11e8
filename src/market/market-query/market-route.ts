import type { FastifyPluginAsync, FastifySchema } from 'fastify'
import type { z } from 'zod'
import { withTier } from '../../../contract/filter-fields.ts'
import { tierOfFilter } from '../../../contract/market-filter.ts'
import { invalidArgs } from '../../../platform/errors.ts'
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
  /** True if figures are read from the cube, which has tiers of hosts for all hosting types and rig sizes only. */
  isOfCube?: boolean
  /** True if it shows only what the marketplace shows to renters, so that every account may ask. Default: hosts with an active machine, and admins. */
  isForEveryAccount?: boolean
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
  const {
    path,
    query,
    answer,
    lasts,
    isOfCube,
    isForEveryAccount = false,
    withoutMachine = { gpus: {} },
    resolve,
    open,
    ...documented
  } = route
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
        config: {
          ...(isForEveryAccount
            ? { permissions: ['instance_read', 'machine_read'] as const }
            : { permissions: ['machine_read'] as const, access: 'host' as const, withoutMachine }),
          headers: answerHeaders,
        },
        schema,
        schemaErrorFormatter: firstSentence,
      },
      async (request, reply) => {
        const asked = withTier(request.query as z.output<Query> & object)
        if (isOfCube) refuseClasses(asked)
        return send(request, reply, (moment) => resolve(asked, moment))
      },
    )
  }
}

/** Refuses a tier of hosts together with a hosting type or a rig size. */
export function refuseClasses(asked: { verified?: string; hosting_type?: string; num_gpus?: number }): void {
  const isOfClass = (asked.hosting_type ?? 'all') !== 'all' || (asked.num_gpus ?? 0) !== 0
  if (isOfClass && tierOfFilter(asked.verified ?? 'all'))
    throw invalidArgs(
      'tier unverified, deverified and unknown cannot be combined with hosting_type or num_gpus here: the history by tier has all hosting types and rig sizes together',
    )
}
