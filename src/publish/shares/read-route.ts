import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type SharedChart, sharedAnswer } from '../../../contract/shares.ts'
import { notFound } from '../../../platform/errors.ts'
import { queryHistory } from '../../market/history/fetch-points.ts'
import { answerHeaders, openAnswers } from '../../market/market-query/answers.ts'
import { resolveQuestion, type SeriesQuestion } from '../../market/market-query/resolve.ts'
import { findChart } from './find-chart.ts'
import { forMarkets, type ShareRoute } from './share-route.ts'
import { questionOf } from './shared-question.ts'

const description = `The figures of a shared chart, without a key. \`gpus\` and the headers are those of the [history](/api/v0/metrics/gpu/history).
The answer has figures of the market only, nothing of the account that shares them.`

/** The figures of a shared chart. Anyone with the link can read them. Only the link's creator chose the query. */
export const readSharedRoute: ShareRoute = async (app, { postgres, ...options }) => {
  const sendOf = forMarkets(options, (market) =>
    openAnswers(market, async ({ chart, ...question }: SeriesQuestion & { chart: SharedChart }, moment) => {
      const { step, gpus } = await queryHistory({ clickhouse: market.clickhouse, ...moment }, question)
      return { step, answer: { success: true, chart, gpus } satisfies z.infer<typeof sharedAnswer> }
    }),
  )

  app.get(
    '/api/v0/shared/:token',
    {
      config: {
        permissions: 'none',
        anyOrigin: true,
        headers: answerHeaders,
        errors: { 404: 'No chart has this link: `not_found`' },
      },
      schema: {
        operationId: 'readSharedChart',
        summary: 'Read a shared chart',
        description,
        tags: ['metrics'],
        params: z.object({ token: z.string().describe('The `chart` of the link') }),
        response: { 200: sharedAnswer },
      },
    },
    async (request, reply) => {
      const chart = await findChart(postgres, request.params.token)
      if (!chart) throw notFound('This link shows no chart')
      return sendOf(chart)(request, reply as FastifyReply, (moment) => ({
        ...resolveQuestion(questionOf(chart, moment.now), moment),
        chart,
      }))
    },
  )
}
