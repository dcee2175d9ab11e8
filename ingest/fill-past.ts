import { wholeBuckets } from '../contract/ladder.ts'
import { keysOf } from '../contract/records.ts'
import type { Addition } from '../platform/stores/backfills.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { showProgress } from './enter-slots.ts'
import { type Hour, type Range, split } from './ranges.ts'
import { observationsPerHour, rollUp, rollUpCube, rollUpHours } from './rollup.ts'
import type { Series } from './write-series.ts'

const [day, week] = [86_400, 604_800]

interface Filling {
  /** True if the rows are computed from observations, and so only where observations are kept. */
  isObserved: boolean
  /** Seconds of the past computed at once. New snapshots wait meanwhile. A longer bucket is computed more than once. */
  stretch: number
  compute: (series: Series, hours: readonly Hour[], range: Range) => Promise<void>
}

/** The order is the order of computation: the cube reads price steps. */
const fillings: Record<Addition, Filling> = {
  sums: { isObserved: false, stretch: week, compute: rollUpHours },
  last_slot: {
    isObserved: true,
    stretch: day,
    compute: async (series, hours, range) =>
      rollUpCube(series, hours, { ...range, revision: await series.nextRevision() }),
  },
  memory: {
    isObserved: true,
    stretch: day,
    // The size is part of the keys, so rows without it are removed.
    compute: (series, _hours, range) => rollUp(series, { ...range, rebuild: true }),
  },
}
const additions = keysOf(fillings)

/**
 * After an upgrade, computes one more range of an addition, newest first. Returns true if more may be left. Each range is
 * recorded when it is done, so that any process continues after a crash.
 */
export async function fillPast(series: Series): Promise<boolean> {
  const { clickhouse, postgres } = series
  const { rows } = await postgres.query<{ what: Addition; before: number }>('series/next_backfill', [
    additions,
  ])
  const [next] = rows
  if (!next) return false
  const { isObserved, stretch, compute } = fillings[next.what]
  const { from, to } = one(await selectRows<Range>(clickhouse, 'series/range'))
  const range = wholeBuckets(stretch, {
    from: isObserved ? Math.max(from, series.since) : from,
    to: Math.min(to, next.before, next.what === 'memory' ? await lackingBefore(series, 'memory') : to),
  })
  const hours = range.to > range.from ? await observationsPerHour(clickhouse, wholeBuckets(week, range)) : []
  const last = split(hours, stretch, range).at(-1)
  if (last) {
    await showProgress(series)
    await compute(series, hours, last)
  }
  const left = last && last.from > range.from ? last.from : 0
  await postgres.query('UPDATE backfills SET todo_before = $2 WHERE what = $1', [next.what, left])
  return true
}

/** The time before which rows of an addition are missing. 0: none are missing. */
export async function lackingBefore(
  { clickhouse }: Pick<Series, 'clickhouse'>,
  what: Addition,
): Promise<number> {
  const query = `series/without_${what}`
  return one(await selectRows<{ before: number }>(clickhouse, query)).before
}

/** Records the additions that a restored ClickHouse of an earlier release lacks, for fillPast. */
export async function noteLacking({ postgres, clickhouse }: Series): Promise<void> {
  for (const what of additions) {
    const before = await lackingBefore({ clickhouse }, what)
    const text = 'UPDATE backfills SET todo_before = greatest(todo_before, $2) WHERE what = $1'
    await postgres.query(text, [what, before])
  }
}
