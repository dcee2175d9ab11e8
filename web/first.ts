import type { QueryClient } from '@tanstack/preact-query'
import { pages } from '../contract/pages.ts'
import { machineListQuery, ownIncomeQuery } from './api/machines.ts'
import { historyQuery, marketQuery, namesQuery } from './api/queries.ts'
import { fleetQuery } from './machines/fleet-query.ts'
import { questionsOf } from './market/questions.ts'
import { daysShown } from './today/days-shown.ts'
import { readView, type View } from './view.ts'

const prefetches: Record<string, (client: QueryClient, view: View) => Promise<void>> = {
  [pages.today](client, { period }) {
    client.prefetchQuery(ownIncomeQuery(daysShown(period)))
    return client.prefetchInfiniteQuery(fleetQuery())
  },
  async [pages.market](client, view) {
    const { current, history, fill, book, clouds } = questionsOf(view)
    client.prefetchQuery(marketQuery('current', current))
    client.prefetchQuery(historyQuery(history))
    client.prefetchQuery(marketQuery('fill', fill))
    if (view.cols.length === 0) client.prefetchQuery(marketQuery('depth', book))
    client.prefetchQuery(marketQuery('list-prices', clouds))
  },
  async [pages.charts](client, view) {
    prefetchLists(client)
    await (await import('./gpu/shown.ts')).prefetchCharts(client, view)
  },
  [pages.machines]: (client) => client.prefetchInfiniteQuery(fleetQuery()),
  async [pages.price](client, view) {
    prefetchLists(client)
    await (await import('./desk/page.tsx')).prefetchDesk(client, view)
  },
}

/** The GPU names and own machines from which a view without a choice takes its default. */
function prefetchLists(client: QueryClient): void {
  client.prefetchQuery(namesQuery())
  client.prefetchQuery(machineListQuery())
}

/**
 * Requests the data that the page at a path shows first, while its script is loaded. The page makes the same queries, finds or awaits their answers,
 * and reports failures.
 */
export function prefetchFirst(client: QueryClient, path: string): void {
  prefetches[path]?.(client, readView(location.search)).catch(() => {})
}
