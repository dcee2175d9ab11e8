import { day as secondsPerDay } from '../contract/durations.ts'
import { ceilTo, floorTo } from '../contract/ladder.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import type { Range } from './ranges.ts'
import { type Series, writeSeries } from './write-series.ts'

/**
 * A day to publish, by its start in unix seconds. The fingerprints cover its slots, and the slots of the days that it is compared
 * with.
 */
interface DueDay {
  day: number
  print: string
  print_1: string
  print_28: string
  reason: string
}

// A week of a large market takes some seconds, for which snapshots wait.
const daysAtOnce = 7

/**
 * Computes machine days and the price index for every complete day that is not published yet or has changed since. Days are
 * published oldest first, since a day is compared with earlier ones. Returns the number of days. `stop` ends it between two days.
 *
 * Each step may run again after a crash: rows have revisions, an existing vintage is not published again, and only the last
 * statement marks the day as published.
 */
export async function publishDays(stores: Stores, stop?: AbortSignal): Promise<number> {
  let published = 0
  // Usually nothing is due. This is checked without the lock.
  while (!stop?.aborted && (await findDue(stores)).length > 0)
    published += await writeSeries(stores, async (series) => {
      const due = await findDue(series)
      for (const [index, day] of due.entries()) {
        if (stop?.aborted) return index
        await publish(series, day)
      }
      return due.length
    })
  return published
}

async function findDue({ postgres, clickhouse }: { postgres: Session; clickhouse: ClickHouse }) {
  const { rows } = await postgres.query<{ until: number }>('series/complete_until')
  const since = ceilTo(secondsPerDay, await observedSince(postgres))
  const until = floorTo(secondsPerDay, one(rows).until)
  return findDueDays(clickhouse, { from: since, to: until }, daysAtOnce)
}

/** The first days of the range, at most `most`, that are due for publication. */
export const findDueDays = (clickhouse: ClickHouse, { from, to }: Range, most = 100_000): Promise<DueDay[]> =>
  selectRows(clickhouse, 'days/due', { since: from, until: to, most })

async function publish(series: Series, { day, reason, ...prints }: DueDay): Promise<void> {
  const { clickhouse } = series
  const revision = await series.nextRevision()
  await execute(clickhouse, 'days/machines', { day, revision })
  // A DELETE takes seconds even when there is nothing to remove. So stale rows are counted first.
  const stale = await selectRows(clickhouse, 'days/find_stale', { day, revision })
  if (stale.length > 0) await execute(clickhouse, 'days/forget_stale', { day, revision })
  await publishIndex(series, day, reason)
  const entry = { day, ...prints, revision: await series.nextRevision() }
  await execute(clickhouse, 'days/enter', entry)
}

/** Publishes index rows that the day lacks, or that differ from the stored ones. */
export async function publishIndex(series: Series, day: number, reason: string): Promise<void> {
  const edition = { day, reason, revision: await series.nextRevision() }
  await execute(series.clickhouse, 'days/publish', edition)
}
