import { day as secondsPerDay } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import { seriesRange } from './check.ts'
import type { Range } from './ranges.ts'
import type { Series } from './write-series.ts'

/** Days of the newest slots, which each call checks. */
const newestDays = 7
/** Days of the rest that a call checks. 48 calls, two days, check four years. */
const daysInTurn = 30

/** The ranges of one check for damage, in order, without overlaps. */
export interface CheckedRanges {
  ranges: Range[]
  /** The start of the part that was checked in turn. The next check continues with the part before it; 0: it begins with the newest part. */
  checkedFrom: number
}

/**
 * The ranges to check now: the newest days, the next part of the rest, and the ranges of known damages. The rest is checked from
 * its newest part to its oldest, and then again.
 */
export async function rangesToCheck(series: Series, parts: readonly Range[]): Promise<CheckedRanges> {
  const { postgres, clickhouse } = series
  const all = await seriesRange(clickhouse)
  const { rows } = await postgres.query<{ checked_from: number }>('SELECT checked_from FROM mend_progress')
  const { rows: lost } = await postgres.query<Range>('mend/lost_ranges')
  const turn = turnOf(all, rows[0]?.checked_from ?? 0)
  const known = [...parts, ...lost].map(({ from, to }) => ({
    from: floorTo(secondsPerDay, Math.max(from, all.from)),
    to: Math.min(to, all.to),
  }))
  const ranges = merged([...turn.ranges, ...known])
  return { ranges, checkedFrom: turn.checkedFrom }
}

/** The newest days of a series and the part of the rest that ends at `checkedFrom`; 0: the newest part. */
export function turnOf({ from, to }: Range, checkedFrom: number): CheckedRanges {
  const newest = Math.max(from, floorTo(secondsPerDay, to) - newestDays * secondsPerDay)
  const end = checkedFrom > from && checkedFrom < newest ? checkedFrom : newest
  const start = Math.max(from, end - daysInTurn * secondsPerDay)
  return {
    ranges: merged([
      { from: start, to: end },
      { from: newest, to },
    ]),
    checkedFrom: start > from ? start : 0,
  }
}

/** The ranges in order. Ranges that overlap or adjoin are one. */
function merged(ranges: readonly Range[]): Range[] {
  const found: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (range.from >= range.to) continue
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else found.push({ ...range })
  }
  return found
}

/** Records that the part in turn is checked. */
export const noteChecked = ({ postgres }: Series, { checkedFrom }: CheckedRanges) =>
  postgres.query(
    'INSERT INTO mend_progress (checked_from) VALUES ($1) ON CONFLICT (one) DO UPDATE SET checked_from = $1',
    [checkedFrom],
  )
