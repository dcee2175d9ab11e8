// Without zod: the page imports this, too.

/** The most of what dashboards can have. */
export const dashboardLimits = {
  dashboards: 200,
  name: 100,
  panels: 12,
  query: 20_000,
  /** Columns of a chart. */
  columns: 8,
  columnName: 1_000,
} as const

/** How a result is drawn. */
export const chartKinds = ['line', 'bars', 'points'] as const
