import { z } from 'zod'
import { idOf, success } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'

export const deleteSshKey: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/ssh/:id',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: 'The account has no such SSH key: `not_found`' },
      },
      schema: {
        operationId: 'deleteSshKey',
        summary: 'Delete an SSH key',
        tags: ['ssh'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query('ssh/delete', [caller.accountId, idOf(params.id)])
      if (rowCount === 0) throw notFound('There is no such SSH key')
      return { success: true as const }
    },
  )
}
