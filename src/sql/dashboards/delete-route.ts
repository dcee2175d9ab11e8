import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf, success } from '../../../contract/fields.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { noDashboard } from './get-route.ts'

/** Deletes a dashboard. */
export const deleteDashboardRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.delete(
    '/api/v0/metrics/sql/dashboards/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'admin',
        errors: { 404: 'There is no such dashboard: `not_found`' },
      },
      schema: {
        operationId: 'deleteSqlDashboard',
        summary: 'Delete a dashboard',
        description: 'For all admins.',
        tags: ['sql'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ params }) => {
      const { rowCount } = await postgres.query('DELETE FROM dashboards WHERE id = $1', [idOf(params.id)])
      if (rowCount === 0) throw noDashboard()
      return { success: true as const }
    },
  )
}
