import { day } from '../contract/durations.ts'
import { wholeBuckets } from '../contract/ladder.ts'
import { filledSince } from '../platform/stores/backfills.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { showProgress } from './enter-slots.ts'
import { type Range, split } from './ranges.ts'
import { observationsPerHour, rollUp } from './rollup.ts'
import { type Series, writeSeries } from './write-series.ts'

/**
 * After an upgrade: computes the derived rows of the past as this release does, the newest first. Each range is of whole days, and of as many
 * as one statement takes; slots are loaded in between. It may be stopped or killed at any point: each range is recorded when it is complete, and the
 * next call continues. Returns the number of ranges.
 */
export async function fillPast(stores: Stores, stop?: AbortSignal): Promise<number> {
  let ranges = 0
  while (!stop?.aborted && (await filledSince(stores.postgres)) > 0)
    ranges += await writeSeries(stores, fillRange)
  return ranges
}

async function fillRange(series: Series): Promise<number> {
  const { clickhouse, postgres } = series
  const { from, to } = one(await selectRows<Range>(clickhouse, 'series/range'))
  const range = wholeBuckets(day, {
    from: Math.max(from, series.since),
    to: Math.min(to, await lackingBefore(series)),
  })
  const hours = range.to > range.from ? await observationsPerHour(clickhouse, range) : []
  const last = split(hours, day, range).at(-1)
  if (last) {
    await showProgress(series)
    // Keys of rows may have changed, so rows of the earlier release are removed.
    await rollUp(series, { ...last, rebuild: true })
  }
  const left = last && last.from > range.from ? last.from : 0
  await postgres.query('UPDATE backfills SET todo_before = least(todo_before, $1)', [left])
  return last ? 1 : 0
}

/** Derived rows before this time (unix seconds) may lack what this release adds; 0: none do. */
export async function lackingBefore({
  postgres,
  clickhouse,
}: Pick<Series, 'postgres' | 'clickhouse'>): Promise<number> {
  const since = await filledSince(postgres)
  return since === 0 ? 0 : Math.min(since, await lackingAnywhere(clickhouse))
}

/** Notes that a restored ClickHouse of an earlier release lacks rows of this one, for fillPast. */
export async function noteLacking({ postgres, clickhouse }: Series): Promise<void> {
  const text = 'UPDATE backfills SET todo_before = greatest(todo_before, $1)'
  await postgres.query(text, [await lackingAnywhere(clickhouse)])
}

const lackingAnywhere = async (clickhouse: Series['clickhouse']): Promise<number> =>
  one(await selectRows<{ before: number }>(clickhouse, 'series/lacking')).before
