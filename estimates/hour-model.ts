import { day, hour, week } from '../contract/durations.ts'
import { shareBelow } from './beta.ts'
import { overdispersionOfRigs } from './overdispersion.ts'
import { addTimes, at, choleskyOf, dot, inverseOf, solved, times } from './pooled/matrix.ts'
import { rowsOf } from './ridge.ts'

/** New rentals in an hour. */
export interface CountedHour {
  /** Unix seconds. */
  start: number
  rentals: number
  /** Rentals that the free GPUs of the hour would have had if no hour differed from the others. */
  expected: number
}

/** Effects on ln(rentals ÷ expected): a level, the weekend, and waves of 24 and 12 hours. Both covariances are of these. */
export interface HourModel {
  effects: Float64Array
  /** Covariances if hours are independent, from the variance between hours. */
  betweenHours: Float64Array
  /** Covariances if hours of one day may err alike, from the variance between days. */
  betweenDays: Float64Array
  days: number
  /** The variance between hours ÷ the number of rentals. */
  dispersion: number
}

/** Weight of the assumption that hours do not differ: as much as this many rentals. It bounds effects where an hour has no rental. */
const flatEvents = 1
const mostSteps = 50
/** The first Monday after 1970 began, unix seconds. */
export const firstMonday = 4 * day

export const isWeekend = (time: number): boolean => (time - firstMonday + 52 * week) % week >= 5 * day

const size = 6
const tested = size - 1

/** The factors of the effects in an hour. The share of weekends in a week is taken off, so that the level is of the whole week. */
export function factorsAt(start: number): Float64Array {
  const turn = (2 * Math.PI * ((start % day) + hour / 2)) / day
  const waves = [Math.cos(turn), Math.sin(turn), Math.cos(2 * turn), Math.sin(2 * turn)]
  return Float64Array.from([1, (isWeekend(start) ? 1 : 0) - 2 / 7, ...waves])
}

interface HourRow extends CountedHour {
  factors: Float64Array
}

/** Fits a Poisson regression. `meanRig`: the mean rig size of the free GPUs, since GPUs are often rented together. */
export function fitHours(hours: readonly CountedHour[], meanRig: number): HourModel {
  const rows = hours.map((row): HourRow => ({ ...row, factors: factorsAt(row.start) }))
  const effects = mostLikely(rows)
  const inverse = inverseOf(choleskyOf(informationOf(rows, effects), size), size)
  const dispersion = overdispersionOfRigs(
    {
      events: rows.reduce((sum, { rentals }) => sum + rentals, 0),
      variance: rows.reduce((sum, row) => sum + (row.rentals - meanOf(row, effects)) ** 2, 0),
    },
    meanRig,
  )
  const days = [...rowsOf(rows.map(({ start }) => `${Math.floor(start / day)}`)).values()]
  return {
    effects,
    betweenHours: inverse.map((value) => value * dispersion),
    betweenDays: varianceBetween(
      days.map((places) =>
        slopeOf(
          places.map((place) => rows[place] as HourRow),
          effects,
        ),
      ),
      inverse,
    ),
    days: days.length,
    dispersion,
  }
}

const meanOf = (row: HourRow, effects: Float64Array): number =>
  row.expected * Math.exp(dot(row.factors, effects))

/** Newton's method. A step moves no effect by more than 1. */
function mostLikely(rows: readonly HourRow[]): Float64Array {
  const effects = new Float64Array(size)
  for (let step = 0; step < mostSteps; step += 1) {
    const slope = slopeOf(rows, effects)
    for (let one = 1; one < size; one += 1) slope[one] = at(slope, one) - flatEvents * at(effects, one)
    const move = solved(choleskyOf(informationOf(rows, effects), size), slope)
    const farthest = Math.max(...move.map(Math.abs))
    addTimes(effects, move, Math.min(1, 1 / farthest))
    if (farthest < 1e-8) break
  }
  return effects
}

function slopeOf(rows: readonly HourRow[], effects: Float64Array): Float64Array {
  const slope = new Float64Array(size)
  for (const row of rows) addTimes(slope, row.factors, row.rentals - meanOf(row, effects))
  return slope
}

function informationOf(rows: readonly HourRow[], effects: Float64Array): Float64Array {
  const information = new Float64Array(size * size)
  for (let one = 1; one < size; one += 1) information[one * size + one] = flatEvents
  for (const row of rows) {
    const mean = meanOf(row, effects)
    for (let one = 0; one < size; one += 1)
      addTimes(information.subarray(one * size, (one + 1) * size), row.factors, mean * at(row.factors, one))
  }
  return information
}

/** The sandwich estimate of covariances, from the slopes of clusters. */
function varianceBetween(slopes: readonly Float64Array[], inverse: Float64Array): Float64Array {
  const covariance = new Float64Array(size * size)
  for (const slope of slopes) {
    const moved = times(inverse, slope)
    for (let one = 0; one < size; one += 1)
      addTimes(covariance.subarray(one * size, (one + 1) * size), moved, at(moved, one))
  }
  return covariance.map((value) => (value * slopes.length) / Math.max(1, slopes.length - size))
}

/** A test of all effects against none. */
export interface FlatTest {
  /** The probability of effects at least as large in a market in which hours do not differ. */
  p_value: number
  /** A factor by which effects are shrunk (James and Stein): effects that pass a test are too large in the mean. */
  shrinkage: number
}

/** Wald's test with both covariances. The larger probability and the stronger shrinkage count. */
export function flatTest({ effects, betweenHours, betweenDays, days }: HourModel, hours: number): FlatTest {
  const ofHours = waldOf(effects, betweenHours) / tested
  // The covariances of a few days are estimated badly (Hotelling).
  const ofDays = ((waldOf(effects, betweenDays) / tested) * (days - tested)) / (days - 1)
  const shareAbove = (ratio: number, freedom: number) =>
    shareBelow(freedom / (freedom + tested * ratio), freedom / 2, tested / 2)
  return {
    p_value: Math.max(shareAbove(ofHours, hours - size), shareAbove(ofDays, days - tested)),
    shrinkage: Math.max(0, 1 - (tested - 2) / (tested * Math.min(ofHours, ofDays))),
  }
}

function waldOf(effects: Float64Array, covariance: Float64Array): number {
  const found = effects.subarray(1)
  const part = new Float64Array(tested * tested)
  for (let one = 0; one < tested; one += 1)
    for (let other = 0; other < tested; other += 1)
      part[one * tested + other] = at(covariance, (one + 1) * size + other + 1)
  return dot(found, solved(choleskyOf(part, tested), found))
}
