import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { namesAnswer } from '../../../contract/names.ts'
import { type MarketOptions, setStateHeaders, stateHeaders } from '../market-query/answers.ts'

/** GET /api/v0/metrics/gpu/names: the values of the history's parameter gpu_name. */
export const namesRoute: FastifyPluginAsyncZod<Pick<MarketOptions, 'series' | 'clock'>> = async (
  app,
  { series, clock },
) => {
  app.get(
    '/api/v0/metrics/gpu/names',
    {
      config: { permissions: ['machine_read'], access: 'host', headers: stateHeaders },
      schema: {
        operationId: 'listGpuNames',
        summary: 'GPU names',
        description: 'Every GPU name in the history, in alphabetical order, with its counts when last seen.',
        tags: ['metrics'],
        response: { 200: namesAnswer },
      },
    },
    async (_, reply) => {
      setStateHeaders(reply, { state: await series.state(), now: clock.now() })
      return { success: true as const, names: [...(await series.names())] }
    },
  )
}
