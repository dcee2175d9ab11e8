import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { dashboardChange } from '../../../contract/dashboards.ts'
import { idOf } from '../../../contract/fields.ts'
import { ApiError } from '../../../platform/errors.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { lockDashboards, nameTaken } from './create-route.ts'
import { noDashboard } from './get-route.ts'

/** Changes a dashboard. */
export const changeDashboardRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.put(
    '/api/v0/metrics/sql/dashboards/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'admin',
        errors: {
          400: '`invalid_args`: also when the name is taken',
          404: 'There is no such dashboard: `not_found`',
          409: 'The dashboard has a newer revision: `conflict`',
        },
      },
      schema: {
        operationId: 'changeSqlDashboard',
        summary: 'Change a dashboard',
        description:
          'Replaces its name and all its panels. `revision` names the revision on which the change is based, so that two admins who edit at the same time do not overwrite each other.',
        tags: ['sql'],
        params: z.object({ id: z.string() }),
        body: dashboardChange,
        response: { 200: z.object({ success: z.literal(true), revision: z.int() }) },
      },
    },
    async ({ caller, params, body: { name, panels, revision: changed } }) => {
      const values = [idOf(params.id), caller.accountId, name, JSON.stringify(panels), changed]
      const { rows } = await transaction(postgres, async (client) => {
        await client.query(lockDashboards)
        return client.query<{ revision: number | null; is_stale: boolean }>('dashboards/change', values)
      })
      const [row] = rows
      if (!row) throw noDashboard()
      if (row.revision !== null) return { success: true as const, revision: row.revision }
      throw row.is_stale
        ? new ApiError(409, 'conflict', 'Somebody else has changed this dashboard. Reload it')
        : nameTaken()
    },
  )
}
