import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Dashboard, dashboard } from '../../../contract/dashboards.ts'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

export const noDashboard = () => notFound('There is no such dashboard')

/** A dashboard with its statements. They do not run here: clients send them to `POST /api/v0/metrics/sql`. */
export const getDashboardRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/sql/dashboards/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'admin',
        errors: { 404: 'There is no such dashboard: `not_found`' },
      },
      schema: {
        operationId: 'getSqlDashboard',
        summary: 'A dashboard',
        description: 'Its panels with their statements. `POST /api/v0/metrics/sql` runs them.',
        tags: ['sql'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true), dashboard }) },
      },
    },
    async ({ params }) => {
      const { rows } = await postgres.query<Dashboard>('dashboards/get', [idOf(params.id)])
      const [found] = rows
      if (!found) throw noDashboard()
      return { success: true as const, dashboard: found }
    },
  )
}
