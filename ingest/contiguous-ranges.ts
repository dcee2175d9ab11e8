import type { Hour, Range } from './rollup.ts'

// Buckets of the widest step, a week, on both sides of such a gap have nothing to do with each other.
const gap = 14 * 86_400
const mostStretches = 50

/**
 * The time that `hours` (in order) cover, without the long gaps, so that one row with a wrong year doesn't have all the years between
 * derived anew. Each stretch costs some twenty statements, so more than 50 are one.
 */
export function stretches(hours: readonly Pick<Hour, 'hour'>[]): Range[] {
  const ranges: Range[] = []
  for (const { hour } of hours) {
    const last = ranges.at(-1)
    if (last && hour - last.to < gap) last.to = hour + 3600
    else ranges.push({ from: hour, to: hour + 3600 })
  }
  const [first, last] = [ranges[0], ranges.at(-1)]
  return first && last && ranges.length > mostStretches ? [{ from: first.from, to: last.to }] : ranges
}
