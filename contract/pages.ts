// Without zod: the page imports this, too.

/** Paths of the pages. One segment each: a page finds the API relative to its own address (web/api/client.ts). */
export const pages = {
  market: '/',
  charts: '/charts',
  machines: '/machines',
  alerts: '/alerts',
  price: '/price',
  sql: '/sql',
} as const
