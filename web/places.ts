import { pages } from '../contract/pages.ts'
import { frameOutlines } from './components/icon.tsx'
import { readView, usualSort, writeView } from './view.ts'

interface Tab {
  to: string
  title: string
  forAdmins?: true
}

/** A place of the menu, with its pages as tabs. The link opens the first page. */
export interface Place {
  title: string
  icon: string
  tabs: readonly [Tab, ...Tab[]]
}

/** The menu, in groups of tasks. */
export const places: readonly Place[] = [
  { title: 'Today', icon: frameOutlines.home, tabs: [{ to: pages.today, title: 'Today' }] },
  {
    title: 'Market',
    icon: frameOutlines.chart,
    tabs: [
      { to: pages.market, title: 'Prices' },
      { to: pages.where, title: 'Where' },
      { to: pages.build, title: 'What to buy' },
      { to: pages.charts, title: 'Charts' },
      { to: pages.elsewhere, title: 'Clouds' },
    ],
  },
  { title: 'Machines', icon: frameOutlines.server, tabs: [{ to: pages.machines, title: 'Machines' }] },
  {
    title: 'Pricing',
    icon: frameOutlines.tag,
    tabs: [
      { to: pages.price, title: 'Prices' },
      { to: pages.autopilot, title: 'Autopilot' },
      { to: pages.costs, title: 'Costs' },
      { to: pages.history, title: 'History' },
    ],
  },
  { title: 'Alerts', icon: frameOutlines.bell, tabs: [{ to: pages.alerts, title: 'Alerts' }] },
  {
    title: 'Data',
    icon: frameOutlines.database,
    tabs: [
      { to: pages.sql, title: 'SQL', forAdmins: true },
      { to: pages.dashboards, title: 'Dashboards', forAdmins: true },
      { to: pages.docs, title: 'API' },
      { to: pages.recording, title: 'Recording', forAdmins: true },
    ],
  },
]

/** The place that a page is in; undefined: an address that leads nowhere. */
export const placeOf = (path: string): Place | undefined =>
  places.find(({ tabs }) => tabs.some(({ to }) => to === path))

const ofData: readonly string[] = [pages.sql, pages.dashboards, pages.docs, pages.recording]

/**
 * The address of a page with the filters of the page at `path`, which all pages of the market share. Each table has a search and an order of its
 * own, and the market has all GPU types. A chosen price belongs to its machine, so it is dropped with another machine.
 */
export function withFilters(to: string, path: string, search: string): string {
  if (!search || to === path || to === pages.today || ofData.includes(to) || ofData.includes(path)) return to
  const view = readView(search)
  const taken = writeView({
    ...view,
    find: '',
    sort: usualSort,
    period: 'week',
    page: 1,
    price: view.machine > 0 ? view.price : '',
    gpus: to === pages.market ? [] : view.gpus,
  })
  return taken ? `${to}?${taken}` : to
}
