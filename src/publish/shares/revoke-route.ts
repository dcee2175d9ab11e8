import { z } from 'zod'
import { idOf, success } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { ShareRoute } from './share-route.ts'

/** Ends a link. */
export const revokeShareRoute: ShareRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/shares/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        errors: { 404: 'The account has no such link: `not_found`' },
      },
      schema: {
        operationId: 'revokeSharedChart',
        summary: 'Revoke the link of a chart',
        description: 'From then on the link returns 404, like one that never existed.',
        tags: ['metrics'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(
        'DELETE FROM shared_charts WHERE account_id = $1 AND id = $2',
        [caller.accountId, idOf(params.id)],
      )
      if (rowCount === 0) throw notFound('There is no such shared chart')
      return { success: true as const }
    },
  )
}
