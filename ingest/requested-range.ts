import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import type { Range } from './ranges.ts'

type Requested = { [Bound in keyof Range]?: Range[Bound] | undefined }

/**
 * The part of the series to rebuild. A bound that was not requested is the first or last row of any table, also without
 * observations.
 */
export async function rangeToRebuild(clickhouse: ClickHouse, { from, to }: Requested): Promise<Range> {
  const series = await rowsRange(clickhouse)
  return { from: from ?? series.from, to: to ?? series.to }
}

/** The part of the series to check. It ends with the last snapshot of PostgreSQL, in case ClickHouse lost the newest slots. */
export async function rangeToCheck(
  { postgres, clickhouse }: Stores,
  { from, to }: Requested,
): Promise<Range> {
  const series = await rowsRange(clickhouse)
  const text = 'SELECT coalesce(max(slot) + 1, 0) AS end FROM snapshots'
  const { rows } = await postgres.query<{ end: number }>(text)
  return { from: from ?? series.from, to: to ?? Math.max(series.to, one(rows).end) }
}

const rowsRange = async (clickhouse: ClickHouse): Promise<Range> =>
  one(await selectRows<Range>(clickhouse, 'check/range'))
