import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { instance, searchInstances } from './instance.ts'

export const getInstance: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/instances/:id',
    {
      config: { permissions: ['instance_read'], errors: { 404: 'The path has no valid id: `not_found`' } },
      schema: {
        operationId: 'getInstance',
        summary: 'Get an instance',
        description:
          'An instance of the account. null when the account has no such instance, as official clients expect. Fields that rackrate does not record are null.',
        tags: ['instances'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true), instances: instance.nullable() }) },
      },
    },
    async ({ caller, params }) => {
      const instanceId = idOf(params.id)
      if (instanceId === undefined) throw notFound('There is no such instance')
      const { instances } = await searchInstances(postgres, caller.accountId, { instanceId, limit: 1 })
      return { success: true as const, instances: instances[0] ?? null }
    },
  )
}
