import { z } from 'zod'
import { chartKinds, dashboardLimits as limits } from './dashboard-limits.ts'
import { epochOut, named } from './fields.ts'
import { sqlBody } from './sql.ts'

const name = z
  .string()
  .trim()
  .min(1)
  .max(limits.name)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must have no control characters' })
const columnName = z.string().min(1).max(limits.columnName)

/** The chart of a result, by the names of its columns. */
export const sqlChart = z.object({
  kind: z.enum(chartKinds),
  x: columnName.describe('The column along the x-axis; of `bars`: the names of the bars'),
  y: z.array(columnName).min(1).max(limits.columns).describe('Columns of numbers; of `bars`: the first'),
  by: columnName.nullable().default(null).describe('A column whose values become one line each; null: none'),
})
export type SqlChart = z.infer<typeof sqlChart>

export const dashboardPanel = named('DashboardPanel', {
  name,
  query: z.string().trim().min(1).max(limits.query),
  params: sqlBody.shape.params,
  chart: sqlChart.nullable().default(null).describe('null: the result is shown as a table'),
})
export type DashboardPanel = z.infer<typeof dashboardPanel>

/** The body that creates or replaces a dashboard. */
export const dashboardBody = z.object({
  name: name.describe('Unique among dashboards; case does not matter'),
  panels: z.array(dashboardPanel).max(limits.panels).default([]),
})

export const dashboardChange = dashboardBody.extend({
  revision: z
    .int()
    .describe(
      'The revision on which the change is based. If the dashboard has a newer one, nothing is changed and the answer is 409',
    ),
})

const written = {
  id: z.int(),
  name: z.string(),
  revision: z.int().describe('Increases by one with every change'),
  username: z.string().nullable().describe('The account that changed it last; null: it was deleted'),
  updated_at: epochOut,
}

export const dashboard = named('Dashboard', { ...written, panels: z.array(dashboardPanel) })
export type Dashboard = z.infer<typeof dashboard>

export const dashboardEntry = named('DashboardEntry', {
  ...written,
  panels: z.int().describe('Number of dashboards'),
})
export type DashboardEntry = z.infer<typeof dashboardEntry>
