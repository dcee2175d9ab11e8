// Without zod: the page imports this, too.

/** Limits of dashboards. */
export const dashboardLimits = {
  dashboards: 200,
  name: 100,
  panels: 12,
  query: 20_000,
  /** Columns of a chart. */
  columns: 8,
  columnName: 1_000,
} as const

/** The kinds of charts of a result. */
export const chartKinds = ['line', 'bars', 'points'] as const
