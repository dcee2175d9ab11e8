import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { SeriesView } from '../market-query/series.ts'

/** GET /api/v0/gpu_names/unique: the names that official clients offer for completion. They send no key. */
export const uniqueNamesRoute: FastifyPluginAsyncZod<{ series: SeriesView }> = async (app, { series }) => {
  app.get(
    '/api/v0/gpu_names/unique',
    {
      config: { permissions: 'none' },
      schema: {
        operationId: 'listUniqueGpuNames',
        summary: 'GPU names for clients',
        description:
          'Every GPU name in the history, in alphabetical order, and nothing else. No key is needed, because official clients send none.',
        tags: ['metrics'],
        response: { 200: z.object({ success: z.literal(true), gpu_names: z.array(z.string()) }) },
      },
    },
    async () => ({ success: true as const, gpu_names: (await series.names()).map(({ name }) => name) }),
  )
}
