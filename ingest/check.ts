import { wholeBuckets } from '../contract/ladder.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { checkDays } from './check-days.ts'
import { checkRows } from './check-rows.ts'
import { checkSlots } from './check-slots.ts'
import { type CheckResult, type NotChecked, type Problem, timeText } from './problems.ts'
import type { Range } from './ranges.ts'
import { observationsPerHour } from './rollup.ts'
import { holdSeries, type Series } from './write-series.ts'

/**
 * Computes every row of every derived table again and compares all columns, and verifies that the series has every slot once. No problems mean
 * that all is well, but for what could not be checked.
 */
export const check = (stores: Stores, range: Range): Promise<CheckResult> =>
  holdSeries(stores, async (series) => {
    const hours = await observationsPerHour(series.clickhouse, wholeBuckets(604_800, range))
    const revisions = await newerRevisions(series, range)
    const slots = await checkSlots(series, hours, range)
    const rows = await checkRows(series, hours, range)
    const days = await checkDays(series, range, slots.problems)
    return {
      problems: [...revisions, ...slots.problems, ...rows.problems, ...days.problems],
      not_checked: [...tooOld(series, range), ...slots.not_checked, ...rows.not_checked, ...days.not_checked],
    }
  })

/** A row with a revision that was never given out would stay as it is, whatever is computed later. */
async function newerRevisions({ postgres, clickhouse }: Series, range: Range): Promise<Problem[]> {
  const { rows } = await postgres.query<{ revision: number }>(loadSql('postgres/queries/series/newest'))
  const query = loadSql('clickhouse/queries/check/newest_revisions')
  const found = await selectRows<{ table: string; revision: number }>(clickhouse, query, {
    newest: one(rows).revision,
  })
  return found.map(({ table, revision }) => ({
    ...{ table, ...range, fix: 'rackrate reconcile' },
    problem: `${table}: a row has revision ${revision}, which was never given out, so rows computed later would not count.`,
  }))
}

const tooOld = ({ since }: Series, { from, to }: Range): NotChecked[] =>
  from < since
    ? [
        {
          ...{ from, to: Math.min(since, to) },
          reason: `The observations of before ${timeText(since)} are no longer kept, so what was computed from them is not checked.`,
        },
      ]
    : []

/** The whole series, from its first slot to just after its last. */
export async function seriesRange(clickhouse: ClickHouse): Promise<Range> {
  return one(await selectRows<Range>(clickhouse, loadSql('clickhouse/queries/series/range')))
}
