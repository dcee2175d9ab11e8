import { wholeBuckets } from '../contract/ladder.ts'
import { binnedSince } from '../platform/stores/backfills.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { type Range, split } from './ranges.ts'
import { observationsPerHour, rollUpPrices } from './rollup.ts'
import type { Series } from './write-series.ts'

const week = 604_800

/**
 * After an upgrade from a release without them: computes the price bins of one more stretch of the past, newest first. Until then hosts see no
 * price of what was rented. Returns whether there was one. Each stretch is noted when it is done, so that any process goes on after a crash.
 */
export async function fillBins(series: Series): Promise<boolean> {
  const since = await binnedSince(series.postgres)
  if (since === 0) return false
  const { clickhouse, postgres } = series
  const { from, to } = one(await selectRows<Range>(clickhouse, loadSql('clickhouse/queries/series/range')))
  const range = wholeBuckets(week, { from: Math.max(from, series.since), to: Math.min(to, since) })
  const hours = range.to > range.from ? await observationsPerHour(clickhouse, range) : []
  const last = split(hours, week, range).at(-1)
  if (last) await rollUpPrices(series, hours, { ...last, revision: await series.nextRevision() })
  const left = last && last.from > range.from ? last.from : 0
  await postgres.query(`UPDATE backfills SET todo_before = $1 WHERE what = 'bins'`, [left])
  return left > 0
}

/** Notes what a restored ClickHouse of an earlier release lacks, for fillBins. */
export async function noteLackingBins({ postgres, clickhouse }: Series): Promise<void> {
  const query = loadSql('clickhouse/queries/series/without_bins')
  const { before } = one(await selectRows<{ before: number }>(clickhouse, query))
  const text = `UPDATE backfills SET todo_before = greatest(todo_before, $1) WHERE what = 'bins'`
  await postgres.query(text, [before])
}
