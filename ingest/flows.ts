import { hour } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import { execute, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql, withRowsOf } from '../platform/stores/sql-files.ts'
import { type Hour, type Range, split } from './ranges.ts'
import type { Series } from './write-series.ts'

/** Extends a range to the hour of the slot before it: a pair of slots belongs to the hour of its earlier slot. */
export async function withSlotBefore(
  { clickhouse, longestPair }: Series,
  { from, to }: Range,
): Promise<Range> {
  const query = 'rollup/slot_before'
  const before = { from: Math.max(0, from - longestPair), to: from }
  const { slot } = one(await selectRows<{ slot: number }>(clickhouse, query, before))
  return { from: slot > 0 ? Math.min(from, floorTo(hour, slot)) : from, to }
}

/**
 * Computes the flows of whole hours again. Rows without observations are removed at once: when observations are added to a slot,
 * its machines change their price positions, which are part of the key.
 */
export async function makeFlows(
  { clickhouse, longestPair }: Series,
  hours: readonly Hour[],
  { revision, ...range }: Range & { revision: number },
): Promise<void> {
  const text = withRowsOf('flow_rows', loadSql('clickhouse/queries/rollup/flows'), clickhouse.place)
  for (const part of split(hours, hour, range))
    await execute(clickhouse, text, { ...part, longest: longestPair, revision })
  const stale = 'rollup/find_stale_flows'
  if ((await selectRows(clickhouse, stale, { ...range, revision })).length > 0)
    await execute(clickhouse, 'rollup/forget_stale_flows', { ...range, revision })
}
