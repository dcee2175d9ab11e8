import { day } from '../../contract/durations.ts'
import { ladder } from '../../contract/ladder.ts'
import { CannotAnswer, isoOf } from './tool.ts'

/** The most points that an answer lists, over all GPU types together. */
const mostPoints = 120
const usualPoints = 30

type Values = readonly (number | null)[]

/** The first, last, lowest and highest value of a series, each with its time; null when there is none. */
export function summary(timestamps: readonly number[], values: Values) {
  const points = timestamps.flatMap((time, index) => {
    const value = values[index]
    return typeof value === 'number' ? [{ time: isoOf(time), value }] : []
  })
  const [first] = points
  if (!first) return null
  const extreme = (isBetter: (value: number, best: number) => boolean) =>
    points.reduce((best, point) => (isBetter(point.value, best.value) ? point : best), first)
  return {
    first,
    last: points.at(-1) ?? first,
    lowest: extreme((value, best) => value < best),
    highest: extreme((value, best) => value > best),
  }
}

/** All points as rows [time, …figures], if they are few. */
export function listPoints(timestamps: readonly number[], series: Record<string, Values>, types: number) {
  if (timestamps.length * types > mostPoints) return undefined
  return {
    columns: ['time', ...Object.keys(series)],
    rows: timestamps.map((time, index) => [
      isoOf(time),
      ...Object.values(series).map((values) => values[index] ?? null),
    ]),
  }
}

/** The note on how to get points that are not listed. */
export const leftOut = (isListed: boolean): string | undefined =>
  isListed
    ? undefined
    : `Only summaries: an answer lists at most ${mostPoints} points. Request fewer GPU types, a shorter range or a larger step.`

interface RangeInput {
  start?: number | undefined
  end?: number | undefined
  step?: number | undefined
}

/** Range and step for the API. The default step gives some 30 points. */
export function rangeOf({ start, end, step }: RangeInput, now: number) {
  const to = end ?? Math.floor(now)
  const from = start ?? Math.max(0, to - day)
  if (from > to) throw new CannotAnswer('start must not be after end')
  const fine = ladder.find((one) => (to - from) / one <= usualPoints) ?? ladder.at(-1)
  return { start: from, end: to, step: step ?? fine }
}
