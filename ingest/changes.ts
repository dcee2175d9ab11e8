import { hour } from '../contract/durations.ts'
import { execute, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql, withRowsOf } from '../platform/stores/sql-files.ts'
import { cover, type Hour, observedPart, type Range, split } from './ranges.ts'
import { together } from './together.ts'
import type { Series, SeriesReader } from './write-series.ts'

/**
 * The part of a range whose changes can be computed. A slot is compared with the one before it, so the observations of both must be
 * kept. If there is none, an empty range at 0.
 */
export async function comparablePart({ clickhouse, since }: SeriesReader, range: Range): Promise<Range> {
  const observed = observedPart(range, since)
  if (since === 0) return observed
  const query = 'rollup/first_kept'
  const { start } = one(
    await selectRows<{ start: number }>(clickhouse, query, { since: observedSince(since) }),
  )
  const from = Math.max(observed.from, start)
  return from < observed.to ? { from, to: observed.to } : { from: 0, to: 0 }
}

/** The time of the first kept observation. Observations are kept by the hour (observedPart). */
export const observedSince = (since: number): number =>
  observedPart({ from: 0, to: Number.POSITIVE_INFINITY }, since).from

/**
 * Computes the terms and the specs of the slots in `range` again, and of the next slot, which is compared with the last of them. Rows
 * without observations are removed at once: a late slot may show that a change was earlier.
 */
export async function makeChanges(
  series: Series,
  hours: readonly Hour[],
  { revision, ...range }: Range & { revision: number },
): Promise<void> {
  const { clickhouse, since } = series
  const { from, to } = await comparablePart(series, range)
  if (from >= to) return
  const query = 'rollup/changes_around'
  const around = one(await selectRows<Around>(clickhouse, query, { from, to }))
  const parts = cover(split(hours, hour, { from, to }), { from, to })
  const make = async (table: 'terms' | 'specs', view: string) => {
    const text = withRowsOf(view, loadSql(`clickhouse/queries/rollup/${table}`), clickhouse.place)
    for (const part of parts)
      await execute(clickhouse, text, { ...part, since: observedSince(since), revision })
    // Rows that arrive in order replace none.
    if (around[table] === 0) return
    const stale = { from, to: around.to, revision }
    if ((await selectRows(clickhouse, `rollup/find_stale_${table}`, stale)).length > 0)
      await execute(clickhouse, `rollup/forget_stale_${table}`, stale)
  }
  await together([make('terms', 'term_rows'), make('specs', 'spec_rows')])
}

/** The end of the range that is compared, and the number of rows of each table in it. */
type Around = Record<'to' | 'terms' | 'specs', number>
