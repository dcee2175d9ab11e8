import { z } from 'zod'
import { idOf, success } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'

export const deleteCloudConnection: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/users/cloud_integrations/:id',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: 'The account has no such cloud connection: `not_found`' },
      },
      schema: {
        operationId: 'deleteCloudConnection',
        summary: 'Delete a cloud connection',
        description: 'Deletes its credentials and cancels unfinished copies that use it.',
        tags: ['cloud'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query('cloud/delete', [caller.accountId, idOf(params.id)])
      if (rowCount === 0) throw notFound('There is no such cloud connection')
      return { success: true as const }
    },
  )
}
