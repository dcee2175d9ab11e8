import { z } from 'zod'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'

export const readCopyLog: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/commands/copytool/results/:id',
    {
      config: { permissions: 'none', errors: { 404: 'No such copy, or no log yet: `not_found`' } },
      schema: {
        operationId: 'readCloudCopyLog',
        summary: 'Read the log of a copy',
        description: `The log as far as the host has reported. No key is needed: the id in the URL has 122 random bits and is the secret.`,
        tags: ['cloud'],
        params: z.object({ id: z.string() }),
        produces: ['text/plain'],
        response: { 200: z.string() },
      },
    },
    async ({ params }, reply) => {
      if (!z.uuid().safeParse(params.id).success) throw notFound('There is no log yet')
      const { rows } = await postgres.query<{ log: string }>('copytool/log', [params.id])
      if (!rows[0]) throw notFound('There is no log yet')
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(rows[0].log)
    },
  )
}
