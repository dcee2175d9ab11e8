import type { EventPlace, MarketEvent } from '../../../contract/events.ts'
import type { Filters } from '../../../contract/market-filter.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'

type EventsQuery = Record<keyof Filters, string | number> & {
  names: readonly string[]
  from: number
  to: number
  interval: number
}

/** A place before the newest event: the first page. */
const newest = [4_294_967_295, '', ''] as const

/** The newest events of a kind after a place in the list. */
export async function selectKind(
  clickhouse: ClickHouse,
  kind: MarketEvent['kind'],
  asked: EventsQuery,
  { after, limit }: { after?: EventPlace | undefined; limit: number },
): Promise<MarketEvent[]> {
  const [after_at, after_name, after_kind] = after ?? newest
  const parameters = { ...asked, kind, after_at, after_name, after_kind, limit }
  const query = `events/${kind}`
  const rows = await selectRows<Omit<MarketEvent, 'kind'>>(clickhouse, query, parameters)
  return rows.map((row) => ({ ...row, kind }))
}
