// Without zod: the page imports this, too.

/** Paths of the pages. One segment each: a page finds the API relative to its own address (web/api/client.ts). */
export const pages = {
  today: '/',
  market: '/market',
  charts: '/charts',
  where: '/where',
  build: '/build',
  machines: '/machines',
  alerts: '/alerts',
  autopilot: '/autopilot',
  price: '/price',
  costs: '/costs',
  history: '/history',
  elsewhere: '/elsewhere',
  sql: '/sql',
  dashboards: '/dashboards',
  recording: '/recording',
  docs: '/docs',
} as const

/** The page of a shared chart. It takes no key, and other sites may show it in a frame. */
export const sharedPage = '/shared'
