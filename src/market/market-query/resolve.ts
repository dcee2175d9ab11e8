import { day } from '../../../contract/durations.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { sameName } from '../../../contract/gpu-names.ts'
import type { SeriesQuery } from '../../../contract/history.ts'
import { ceilTo, floorTo, ladder, wholeBuckets } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import type { GpuName } from '../../../contract/names.ts'
import type { MarketState } from './answers.ts'
import type { SeriesState } from './series.ts'

/**
 * The most points of one series, and of all series of an answer. 90 days by the hour fit, and so do all GPUs for a month by the
 * hour.
 */
export const maxPoints = 5000
export const maxPointsTogether = 100_000

/** A query with every default filled in. Equal queries have equal answers at one revision of the series. */
export interface SeriesQuestion extends MarketFilter {
  /** Names in the spelling of the series. Unknown names in the caller's spelling. */
  names: string[]
  known: string[]
  step: number
  /** Whole buckets, unix seconds, `to` exclusive. */
  from: number
  to: number
  /** True if all observations of the range are still kept. */
  observed: boolean
}

interface StepLimits {
  /** Steps are multiples of this many seconds. */
  unit?: number
  /** Series that the answer has for each name. */
  seriesPerName?: number
  /** The most points of one series. */
  points?: number
}

/** Turns a query string into a query. */
export function resolveQuestion(
  query: SeriesQuery,
  { state, names: all, interval, now }: MarketState,
  { unit = 1, seriesPerName = 1, points = maxPoints }: StepLimits = {},
): SeriesQuestion {
  const { names, known } = resolveNames(query.gpu_name, all)
  const end = query.end ?? now
  const start = query.start ?? Math.max(0, end - day)
  // The range outside the series has no data, so it does not count towards the limits.
  const from = Math.max(start, state.first_slot)
  const to = Math.min(end, state.newest_slot + 1)
  const rounds = roundSteps(interval)
  const wanted = ceilTo(unit, query.step ?? atLeast(rounds, Math.max(60, (end - start) / 500)))
  const most = Math.min(points, maxPointsTogether / (known.length * seriesPerName))
  const step = (to - from) / wanted <= most ? wanted : ceilTo(unit, atLeast(rounds, (to - from) / most))
  // An empty range has the bucket in which it is, also at the bucket's start.
  const range = within(step, wholeBuckets(step, { from: start, to: Math.max(end, start + 1) }), state)
  return {
    names,
    known,
    ...filterOf(query),
    step,
    ...range,
    observed: range.from >= state.observed_since,
  }
}

/** Whole buckets, cut to what readers may see: two ranges that differ only where there is no data give the same query. */
export function within(step: number, asked: { from: number; to: number }, state: SeriesState) {
  const series = wholeBuckets(step, { from: state.first_slot, to: state.newest_slot + 1 })
  const from = Math.max(asked.from, series.from)
  const to = Math.min(asked.to, series.to, floorTo(step, state.hidden_from))
  return to > from ? { from, to } : { from: 0, to: 0 }
}

/** The steps that the server chooses from, finest first. */
export const roundSteps = (interval: number): number[] =>
  [...new Set([60, interval, ...ladder])].sort((a, b) => a - b)

/** The first of `steps` that is at least `wanted`, or the last. */
export const atLeast = (steps: readonly number[], wanted: number): number =>
  steps.find((step) => step >= wanted) ?? steps.at(-1) ?? wanted

/** The requested names in the spelling of the series. Unknown names in the caller's spelling. */
export function resolveNames(asked: readonly string[], all: readonly Pick<GpuName, 'name'>[]) {
  if (asked.some((name) => name.toLowerCase() === 'all')) {
    const names = all.map(({ name }) => name)
    return { names, known: names }
  }
  const known = asked.flatMap((name) => all.filter((gpu) => sameName(gpu.name, name)).map((gpu) => gpu.name))
  const unknown = asked.filter((name) => !all.some((gpu) => sameName(gpu.name, name)))
  return { names: [...new Set([...known, ...unknown])], known: [...new Set(known)] }
}
