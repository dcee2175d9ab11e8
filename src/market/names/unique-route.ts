import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { SeriesView } from '../market-query/series.ts'

const answer = z.object({
  success: z.literal(true),
  gpu_names: z.array(z.string()),
  gpu_memory: z
    .record(z.string(), z.array(z.int()))
    .describe(
      'By GPU name: sizes of memory, GB per GPU as sold. Several are different products; empty: not known',
    ),
})

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
          'Every GPU name in the history, in alphabetical order, and the sizes of memory of each. No key is needed, because official clients send none.',
        tags: ['metrics'],
        response: { 200: answer },
      },
    },
    async () => {
      const names = await series.names()
      const gpu_memory = Object.fromEntries(names.map(({ name, memory }) => [name, [...memory]]))
      return { success: true as const, gpu_names: names.map(({ name }) => name), gpu_memory }
    },
  )
}
