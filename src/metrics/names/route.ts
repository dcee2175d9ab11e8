import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { namesAnswer } from '../../../contract/names.ts'
import { forbidden } from '../../../platform/errors.ts'
import type { Series } from '../series-state.ts'

/** GET /api/v0/metrics/gpu/names: what can be asked for in the history's `gpu_name`. Ours, not in SPEC.md. */
export const namesRoute: FastifyPluginAsyncZod<{ series: Series }> = async (app, { series }) => {
  app.get(
    '/api/v0/metrics/gpu/names',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        summary: 'GPU names',
        description:
          'Every GPU name in the history, in alphabetical order, with its counts when it was last seen. For hosts and admins.',
        tags: ['metrics'],
        response: { 200: namesAnswer },
      },
    },
    async ({ caller }) => {
      if (!caller.isHost && !caller.isAdmin) throw forbidden('Host or admin access required')
      return { success: true as const, names: [...(await series.names())] }
    },
  )
}
