import { week } from '../contract/durations.ts'
import { wholeBuckets } from '../contract/ladder.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { checkDays } from './check-days.ts'
import { checkMachines } from './check-machines.ts'
import { checkRows } from './check-rows.ts'
import { checkSlots } from './check-slots.ts'
import { type CheckPart, type CheckResult, type NotChecked, type Problem, timeText } from './problems.ts'
import type { Range } from './ranges.ts'
import { observationsPerHour } from './rollup.ts'
import { joinResults, runParts } from './run-parts.ts'
import type { SeriesReader } from './write-series.ts'

export interface CheckOptions {
  /** Receives the finished share, 0 … 1. */
  onProgress?: (share: number) => void
}

/**
 * Computes every row of every derived table again, compares all columns, and verifies that the series has every slot once.
 * Without problems the series is correct, except for the parts that could not be checked.
 */
export async function check(
  stores: Stores,
  range: Range,
  { onProgress = () => {} }: CheckOptions = {},
): Promise<CheckResult> {
  onProgress(0)
  const results = await runParts(
    stores,
    async (series) => [revisionsPart(range), ...(await partsOf(series, range))],
    { onPart: async (_, { done, parts }) => onProgress(done / parts) },
  )
  return joinResults(results)
}

/**
 * The check of everything that belongs to a range, in an order that depends on the range and its observations only. `known`: ranges
 * in which an earlier part found problems, if these parts continue a check.
 */
export async function partsOf(
  series: SeriesReader,
  range: Range,
  known: readonly Range[] = [],
): Promise<CheckPart[]> {
  const hours = await observationsPerHour(series.clickhouse, wholeBuckets(week, range))
  const found = new Map<CheckPart, readonly Range[]>()
  const noteSlots =
    (part: CheckPart): CheckPart =>
    async (reader) => {
      const result = await part(reader)
      found.set(part, result.problems)
      return result
    }
  const faultySlots = () => [...known, ...[...found.values()].flat()]
  return [
    async (reader) => ({ problems: [], not_checked: tooOld(reader, range) }),
    ...checkSlots(hours, range).map(noteSlots),
    ...checkMachines(hours, range),
    ...(await checkRows(series, hours, range)),
    ...checkDays(hours, range, faultySlots),
  ]
}

/** Verifies that no row has a revision above the sequence: it would win over every row that is computed later. */
export const revisionsPart =
  (range: Range): CheckPart =>
  async (series) => ({ problems: await newerRevisions(series, range), not_checked: [] })

async function newerRevisions({ postgres, clickhouse }: SeriesReader, range: Range): Promise<Problem[]> {
  const { rows } = await postgres.query<{ revision: number }>('series/newest')
  const query = 'check/newest_revisions'
  const found = await selectRows<{ table: string; revision: number }>(clickhouse, query, {
    newest: one(rows).revision,
  })
  return found.map(({ table, revision }) => ({
    table,
    ...range,
    fix: 'rackrate reconcile',
    problem: `${table}: a row has revision ${revision}, which was never given out, so rows computed later would not count.`,
  }))
}

const tooOld = ({ since }: SeriesReader, { from, to }: Range): NotChecked[] =>
  from < since
    ? [
        {
          from,
          to: Math.min(since, to),
          reason: `The observations before ${timeText(since)} are no longer kept, so the rows computed from them are not checked.`,
        },
      ]
    : []

/** The whole series, from its first slot to just after its last. */
export async function seriesRange(clickhouse: ClickHouse): Promise<Range> {
  return one(await selectRows<Range>(clickhouse, 'series/range'))
}
