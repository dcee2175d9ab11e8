import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type DashboardEntry, dashboardEntry } from '../../../contract/dashboards.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

/** The dashboards, which all admins share. */
export const listDashboardsRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.get(
    '/api/v0/metrics/sql/dashboards',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'listSqlDashboards',
        summary: 'List dashboards',
        description: 'Ordered by name. Every admin can see and change all of them.',
        tags: ['sql'],
        response: { 200: z.object({ success: z.literal(true), dashboards: z.array(dashboardEntry) }) },
      },
    },
    async () => {
      const { rows } = await postgres.query<DashboardEntry>('dashboards/list')
      return { success: true as const, dashboards: rows }
    },
  )
}
