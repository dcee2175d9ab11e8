import { ceilTo, floorTo, priceSteps, wholeBuckets } from '../contract/ladder.ts'

/** A range of slots in unix seconds, `to` exclusive. */
export interface Range {
  from: number
  to: number
}

/** An hour, by its start in unix seconds, and how many observations it has. */
export interface Hour {
  hour: number
  observations: number
}

// One statement pools about this many observations, which keeps its hash tables under a gigabyte.
const observationsPerStatement = 2_000_000
/** Of steps that are pooled from observations: each filter of each slot keeps some kilobytes, which makes 0.6 GB. A histogram is computed meanwhile. */
export const observationsOfFilters = 200_000
/** A comparison holds the series, so whoever captures slots waits for it: it gets less than a statement that computes. */
export const observationsPerComparison = 500_000
// ClickHouse refuses an insert that touches more than 100 partitions, which are months.
const secondsPerStatement = 2 * 365 * 86_400

/** Cuts `range` at multiples of `step` into parts of at most so many observations and of bounded length. Hours without observations are left out. */
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

/** Parts that leave nothing of a range out: `split` leaves out hours without observations, where rows may be left over. */
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
 * Cuts the whole buckets of some steps that `range` touches into parts. Steps that read little are in one part, unless one of them has to be cut:
 * in a small market planning a statement takes longer than all the rest. Each step of a part has the whole buckets that it touches.
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

/** The whole buckets of some steps that `range` touches, nothing left out: all in one part where that reads few observations. */
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

/** Hours in a row that a step is pooled from: a price step has hardly more rows than an hour. */
export const hoursOfRow = (step: number): number =>
  (priceSteps.find((stored) => step % stored === 0) ?? 3600) / 3600

/** The part of a range in hours whose observations are all kept; an empty range at 0 when there is none. */
export function observedPart({ from, to }: Range, since: number): Range {
  const start = Math.max(from, ceilTo(3600, since))
  return start < to ? { from: start, to } : { from: 0, to: 0 }
}

// Two weeks: buckets of the widest step, a week, on both sides of such a gap have nothing in common.
const gap = 14 * 86_400
const mostStretches = 50

/**
 * The time that `hours` (in order) cover, without the long gaps, so that one row with a wrong year does not have all the years in
 * between computed again. A stretch costs some twenty statements, so more than 50 of them become one.
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
