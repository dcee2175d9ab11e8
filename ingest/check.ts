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
import { holdSeries, type Series } from './write-series.ts'

export interface CheckOptions {
  /** Receives the finished share, 0 … 1. */
  onProgress?: (share: number) => void
  /**
   * A check of months takes many minutes. After this time a waiting writer, such as the load of a new slot, runs once the current
   * part has ended.
   */
  longestHoldMs?: number
}

/**
 * Computes every row of every derived table again, compares all columns, and verifies that the series has every slot once.
 * Without problems the series is correct, except for the parts that could not be checked.
 */
export async function check(
  stores: Stores,
  range: Range,
  { onProgress = () => {}, longestHoldMs = 5000 }: CheckOptions = {},
): Promise<CheckResult> {
  const results: CheckResult[] = []
  let parts: CheckPart[] | undefined
  onProgress(0)
  while (!parts || results.length < parts.length)
    await holdSeries(stores, async (series) => {
      const until = performance.now() + longestHoldMs
      parts ??= await partsOf(series, range)
      for (const part of parts.slice(results.length)) {
        results.push(await part(series))
        onProgress(results.length / parts.length)
        if (performance.now() > until) return
      }
    })
  return {
    problems: results.flatMap(({ problems }) => problems),
    not_checked: results.flatMap(({ not_checked }) => not_checked),
  }
}

async function partsOf(series: Series, range: Range): Promise<CheckPart[]> {
  const hours = await observationsPerHour(series.clickhouse, wholeBuckets(604_800, range))
  const slots: Problem[] = []
  const noteSlots = (part: CheckPart) => async (held: Series) => {
    const result = await part(held)
    slots.push(...result.problems)
    return result
  }
  return [
    async (held) => ({ problems: await newerRevisions(held, range), not_checked: tooOld(held, range) }),
    ...checkSlots(hours, range).map(noteSlots),
    ...checkMachines(hours, range),
    ...(await checkRows(series, hours, range)),
    ...checkDays(hours, range, slots),
  ]
}

/** A row with a revision above the sequence would win over every row that is computed later. */
async function newerRevisions({ postgres, clickhouse }: Series, range: Range): Promise<Problem[]> {
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

const tooOld = ({ since }: Series, { from, to }: Range): NotChecked[] =>
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
