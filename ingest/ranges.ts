import { ceilTo, floorTo, priceSteps, wholeBuckets } from '../contract/ladder.ts'

/** A range of slots in unix seconds, `to` exclusive. */
export interface Range {
  from: number
  to: number
}

/** An hour, by its start in unix seconds, and its number of observations. */
export interface Hour {
  hour: number
  observations: number
}

// Observations pooled by one statement. This limit keeps its hash tables under a gigabyte.
const observationsPerStatement = 2_000_000
/**
 * Observations per statement for steps that are pooled from observations. Each filter of each slot takes some kilobytes, 0.6 GB
 * in all. A histogram is computed at the same time.
 */
export const observationsOfFilters = 200_000
/**
 * Observations per comparison. It is less than for a roll-up, since a comparison holds the series and delays the load of new
 * slots.
 */
export const observationsPerComparison = 500_000
// ClickHouse refuses an insert that touches more than 100 partitions, which are months.
const secondsPerStatement = 2 * 365 * 86_400

/**
 * Splits `range` at multiples of `step` into parts of bounded length with at most the given number of observations. Hours without
 * observations are skipped.
 */
export function split(
  hours: readonly Hour[],
  step: number,
  range: Range,
  most = observationsPerStatement,
): Range[] {
  const unit = Math.max(step, 3600)
  const parts: (Range & { observations: number })[] = []
  for (const { hour, observations } of hours) {
    if (hour + 3600 <= range.from || hour >= range.to) continue
    const from = Math.max(floorTo(unit, hour), range.from)
    const to = Math.min(floorTo(unit, hour) + unit, range.to)
    const last = parts.at(-1)
    const fits = last && last.observations + observations <= most && to - last.from <= secondsPerStatement
    if (last && (fits || from < last.to)) {
      last.to = to
      last.observations += observations
    } else {
      parts.push({ from, to, observations })
    }
  }
  return parts.map(({ from, to }) => ({ from, to }))
}

/** Extends parts so that they cover the whole range: `split` skips hours without observations, where stale rows may be left. */
export function cover(parts: readonly Range[], { from, to }: Range): Range[] {
  if (from >= to) return []
  const starts = parts.map((part, index) => (index === 0 ? from : part.from))
  return (starts.length === 0 ? [from] : starts).map((start, index) => ({
    from: start,
    to: starts[index + 1] ?? to,
  }))
}

// Each step has partitions of its own.
const secondsOfSteps = 31 * 86_400

/**
 * Splits the whole buckets that `range` touches, for several steps. Steps that read little share one part, unless one of them has
 * to be split: in a small market, planning takes most of a statement's time. Each step of a part has the whole buckets that it
 * touches.
 */
export function splitSteps(
  hours: readonly Hour[],
  steps: readonly number[],
  range: Range,
  most = observationsPerStatement,
): (Range & { steps: number[] })[] {
  const found: (Range & { steps: number[]; observations: number })[] = []
  for (const step of steps) {
    const parts = split(hours, step, wholeBuckets(step, range), most)
    const [first] = parts
    const last = found.at(-1)
    const observations = hours
      .filter(({ hour }) => first && hour + 3600 > first.from && hour < first.to)
      .reduce((sum, one) => sum + one.observations / hoursOfRow(step), 0)
    if (parts.length !== 1 || range.to - range.from > secondsOfSteps)
      found.push(...parts.map((part) => ({ ...part, steps: [step], observations: Number.POSITIVE_INFINITY })))
    else if (last && last.observations + observations <= most) {
      last.steps.push(step)
      last.observations += observations
    } else found.push({ ...range, steps: [step], observations })
  }
  return found.map(({ from, to, steps }) => ({ from, to, steps }))
}

/** The whole buckets of some steps that `range` touches, without gaps. A part that reads few observations has all steps. */
export function partsOfSteps(
  hours: readonly Hour[],
  steps: readonly number[],
  range: Range,
): (Range & { steps: readonly number[] })[] {
  const observations = hours.reduce((sum, one) => sum + one.observations, 0)
  if (observations * steps.length <= observationsPerStatement) return [{ ...range, steps }]
  return steps.flatMap((step) => {
    const whole = wholeBuckets(step, range)
    const parts = split(hours, step, whole, observationsPerComparison)
    return cover(parts, whole).map((part) => ({ ...part, steps: [step] }))
  })
}

/** Hours that a row of a step is pooled from. A price step has hardly more rows than an hour. */
export const hoursOfRow = (step: number): number =>
  (priceSteps.find((stored) => step % stored === 0) ?? 3600) / 3600

/** The part of a range, in whole hours, whose observations are all kept. If there is none, an empty range at 0. */
export function observedPart({ from, to }: Range, since: number): Range {
  const start = Math.max(from, ceilTo(3600, since))
  return start < to ? { from: start, to } : { from: 0, to: 0 }
}

// Two weeks: buckets of the widest step, a week, on both sides of such a gap have nothing in common.
const gap = 14 * 86_400
const mostStretches = 50

/**
 * Ranges that cover `hours` (in order) without the long gaps: otherwise a row with a wrong year would cause a roll-up of all
 * years in between. Each range costs some twenty statements, so more than 50 ranges become one.
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
