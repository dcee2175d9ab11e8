import { day, hour } from '../contract/durations.ts'
import type { GpuRentalHours } from '../contract/rental-hours.ts'
import type { Estimate } from './fill-rate.ts'
import {
  type CountedHour,
  factorsAt,
  firstMonday,
  fitHours,
  flatTest,
  type HourModel,
  isWeekend,
} from './hour-model.ts'
import { addTimes, dot, times } from './pooled/matrix.ts'
import { studentT } from './returns.ts'
import { rowsOf } from './ridge.ts'

/** New rentals of a class of machines, hour by hour. */
export interface CountedWeeks {
  hours: readonly CountedHour[]
  /** GPU-hours in which GPUs were free. */
  exposure_gpu_hours: number
  /** Mean rig size of the free GPUs. */
  meanRig: number
  /** Mean seconds between two sights of a free GPU, where a sweep does not see all machines in each slot. */
  apart: number
}

/** Hours of the day (UTC) with their ratio. `to` is exclusive, and may be after midnight. */
export interface HoursOfDay extends Estimate {
  from: number
  to: number
}

export interface WeekPattern {
  /** Ratios to the mean of the week, from Monday 0 o'clock UTC on. */
  ratios: Estimate[]
  busiest: HoursOfDay
  quietest: HoursOfDay
  /** Rate at the weekend ÷ rate on other days. */
  weekend: Estimate
}

type NoPatternReason = Exclude<NonNullable<GpuRentalHours['reason']>, 'no_rentals_known'>

/** The pattern, or the reason why there is none. */
export type FoundPattern = { p_value: number | null } & (
  | { reason: NoPatternReason; pattern: null }
  | { reason: null; pattern: WeekPattern }
)

const leastExposure = 24
const fewestDays = 14
const fewestWeekendDays = 4
/** Days on which each hour of the day must have had free GPUs. */
const fewestDaysOfHour = 7
/** The fewest independent rentals. */
const fewestRentals = 200
const significance = 0.05
const hoursOfWindow = 6

export function patternOf(counted: CountedWeeks): FoundPattern {
  const hours = counted.hours.filter(({ expected }) => expected > 0)
  const early = reasonBefore({ ...counted, hours })
  if (early) return { reason: early, pattern: null, p_value: null }
  const model = fitHours(hours, counted.meanRig)
  const rentals = hours.reduce((sum, row) => sum + row.rentals, 0)
  if (rentals / model.dispersion < fewestRentals)
    return { reason: 'few_rentals', pattern: null, p_value: null }
  const test = flatTest(model, hours.length)
  const { p_value } = test
  return p_value < significance
    ? { reason: null, pattern: weekOf(model, test.shrinkage), p_value }
    : { reason: 'no_pattern_found', pattern: null, p_value }
}

/** A reason that needs no model. */
function reasonBefore({ hours, exposure_gpu_hours, apart }: CountedWeeks): NoPatternReason | null {
  if (exposure_gpu_hours < leastExposure) return 'little_exposure'
  const days = new Set(hours.map(({ start }) => Math.floor(start / day)))
  const weekendDays = [...days].filter((one) => isWeekend(one * day))
  const ofHours = rowsOf(hours.map(({ start }) => `${start % day}`))
  const isShort =
    days.size < fewestDays ||
    weekendDays.length < fewestWeekendDays ||
    ofHours.size < 24 ||
    [...ofHours.values()].some((rows) => rows.length < fewestDaysOfHour)
  if (isShort) return 'short_range'
  if (apart > hour) return 'rare_sights'
  return hours.reduce((sum, row) => sum + row.rentals, 0) < fewestRentals ? 'few_rentals' : null
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

function weekOf(model: HourModel, shrinkage: number): WeekPattern {
  const effects = model.effects.map((value, index) => (index === 0 ? 0 : value * shrinkage))
  const rows = range(168).map((index) => factorsAt(firstMonday + index * hour))
  const rates = rows.map((row) => Math.exp(dot(row, effects)))
  const width = studentT(model.days - 1)
  const estimateOf = (ln: number, contrast: Float64Array): Estimate => {
    const variance = Math.max(
      ...[model.betweenHours, model.betweenDays].map((matrix) => dot(contrast, times(matrix, contrast))),
    )
    const half = width * Math.sqrt(shrinkage * variance)
    return { value: Math.exp(ln), low: Math.exp(ln - half), high: Math.exp(ln + half) }
  }
  /** The mean effects of some hours, weighted by their rates. */
  const meanOf = (places: readonly number[]) => {
    const sum = places.reduce((total, place) => total + (rates[place] ?? 0), 0)
    const mean = new Float64Array(effects.length)
    for (const place of places) addTimes(mean, rows[place] ?? mean, (rates[place] ?? 0) / sum)
    return { mean, rate: sum / places.length }
  }
  const ratioOf = (places: readonly number[], others: readonly number[]): Estimate => {
    const [some, rest] = [meanOf(places), meanOf(others)]
    const contrast = Float64Array.from(some.mean)
    addTimes(contrast, rest.mean, -1)
    return estimateOf(Math.log(some.rate / rest.rate), contrast)
  }
  const all = range(168)
  const windows = range(24).map((from): HoursOfDay => {
    const places = all.filter((place) => (place - from + 168) % 24 < hoursOfWindow)
    return { from, to: (from + hoursOfWindow) % 24, ...ratioOf(places, all) }
  })
  return {
    ratios: all.map((place) => ratioOf([place], all)),
    busiest: windows.reduce((one, other) => (other.value > one.value ? other : one)),
    quietest: windows.reduce((one, other) => (other.value < one.value ? other : one)),
    weekend: ratioOf(all.slice(120), all.slice(0, 120)),
  }
}
