import { wholeBuckets } from '../contract/ladder.ts'
import { summedSince } from '../platform/stores/backfills.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { type Range, split } from './ranges.ts'
import { observationsPerHour, rollUpHours } from './rollup.ts'
import type { Series } from './write-series.ts'

const week = 604_800

/**
 * After an upgrade from a release without them: computes the sums of the cube and the price steps of one more stretch of the past, newest
 * first. Returns whether there was one. Each stretch is noted when it is done, so that any process goes on after a crash.
 */
export async function fillSums(series: Series): Promise<boolean> {
  const since = await summedSince(series.postgres)
  if (since === 0) return false
  const { clickhouse, postgres } = series
  const found = await selectRows<Range>(clickhouse, loadSql('clickhouse/queries/series/range'))
  const { from, to } = one(found)
  const range = { from, to: Math.min(to, since) }
  const hours = range.to > range.from ? await observationsPerHour(clickhouse, wholeBuckets(week, range)) : []
  // Whole weeks: no bucket is computed twice.
  const last = split(hours, week, wholeBuckets(week, range)).at(-1)
  if (last) await rollUpHours(series, hours, last)
  const left = last && last.from > from ? last.from : 0
  await postgres.query(`UPDATE backfills SET todo_before = $1 WHERE what = 'sums'`, [left])
  return left > 0
}

/** Notes what a restored ClickHouse of an earlier release lacks, for fillSums. */
export async function noteLackingSums({ postgres, clickhouse }: Series): Promise<void> {
  const query = loadSql('clickhouse/queries/series/without_sums')
  const { before } = one(await selectRows<{ before: number }>(clickhouse, query))
  const text = `UPDATE backfills SET todo_before = greatest(todo_before, $1) WHERE what = 'sums'`
  await postgres.query(text, [before])
}
