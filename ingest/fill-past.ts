import { wholeBuckets } from '../contract/ladder.ts'
import { keysOf } from '../contract/records.ts'
import type { Addition } from '../platform/stores/backfills.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { showProgress } from './enter-slots.ts'
import { type Hour, type Range, split } from './ranges.ts'
import { observationsPerHour, rollUp, rollUpCube, rollUpHours, rollUpPrices } from './rollup.ts'
import type { Series } from './write-series.ts'

const [day, week] = [86_400, 604_800]

interface Filling {
  /** Whether it is computed from observations, and so only where they are kept. */
  isObserved: boolean
  /** How much of the past is computed at once, in seconds. New snapshots wait meanwhile. A bucket that is longer is computed more than once. */
  stretch: number
  compute: (series: Series, hours: readonly Hour[], range: Range) => Promise<void>
}

/** In the order in which they are filled: the cube is made of price steps, and hosts see no price of what was rented before it has a bin. */
const fillings: Record<Addition, Filling> = {
  sums: { isObserved: false, stretch: week, compute: rollUpHours },
  bins: {
    isObserved: true,
    stretch: week,
    compute: async (series, hours, range) =>
      rollUpPrices(series, hours, { ...range, revision: await series.nextRevision() }),
  },
  last_slot: {
    isObserved: true,
    stretch: day,
    compute: async (series, hours, range) =>
      rollUpCube(series, hours, { ...range, revision: await series.nextRevision() }),
  },
  memory: {
    isObserved: true,
    stretch: day,
    // The size is part of the keys, so rows without it have to go.
    compute: (series, _hours, range) => rollUp(series, { ...range, rebuild: true }),
  },
}
const additions = keysOf(fillings)

/**
 * After an upgrade: computes what it added for one more stretch of the past, newest first. Returns whether more may be left. Each stretch is noted
 * when it is done, so that any process goes on after a crash.
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

/** Before when something of an addition is lacking; 0: nothing is. */
export async function lackingBefore(
  { clickhouse }: Pick<Series, 'clickhouse'>,
  what: Addition,
): Promise<number> {
  const query = `series/without_${what}`
  return one(await selectRows<{ before: number }>(clickhouse, query)).before
}

/** Notes what a restored ClickHouse of an earlier release lacks, for fillPast. */
export async function noteLacking({ postgres, clickhouse }: Series): Promise<void> {
  for (const what of additions) {
    const before = await lackingBefore({ clickhouse }, what)
    const text = 'UPDATE backfills SET todo_before = greatest(todo_before, $2) WHERE what = $1'
    await postgres.query(text, [what, before])
  }
}
