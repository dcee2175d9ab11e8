import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { dashboardLimits } from '../../../contract/dashboard-limits.ts'
import { dashboardBody } from '../../../contract/dashboards.ts'
import { successId } from '../../../contract/fields.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'

export const nameTaken = () => invalidArgs('A dashboard with this name already exists')

/** Concurrent writers run one after the other: names are unique, and limits hold. Readers do not wait. */
export const lockDashboards = 'LOCK TABLE dashboards IN SHARE ROW EXCLUSIVE MODE'

/** Creates a dashboard. */
export const createDashboardRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.post(
    '/api/v0/metrics/sql/dashboards',
    {
      config: {
        permissions: ['machine_read'],
        access: 'admin',
        errors: { 400: '`invalid_args`: also when the name is taken, or there are too many' },
      },
      schema: {
        operationId: 'createSqlDashboard',
        summary: 'Create a dashboard',
        description: `A page of at most ${dashboardLimits.panels} results. The statements are stored but not run. There can be at most ${dashboardLimits.dashboards} dashboards.`,
        tags: ['sql'],
        body: dashboardBody,
        response: { 200: successId },
      },
    },
    async ({ caller, body: { name, panels } }) => {
      const values = [caller.accountId, name, JSON.stringify(panels), dashboardLimits.dashboards]
      const { rows } = await transaction(postgres, async (client) => {
        await client.query(lockDashboards)
        return client.query<{ id: number | null; too_many: boolean }>('dashboards/create', values)
      })
      const { id, too_many } = one(rows)
      if (id !== null) return { success: true as const, id }
      throw too_many
        ? invalidArgs(`There can be at most ${dashboardLimits.dashboards} dashboards`)
        : nameTaken()
    },
  )
}
