import { mean } from 'simple-statistics'
import { SlidingSum, SortedWindow } from './sliding-window.ts'

// Forecasts of an hourly figure, and their record. A forecast reads no hour after the one in which it is made, so replaying the past yields
// the forecasts of that time.

/** A figure by hour, in order. null: unknown. */
export type HourlyValues = readonly (number | null)[]

export interface ValueForecast {
  value: number
  /** The ends of the band that should contain 80 % of outcomes. */
  low: number
  high: number
  /** Probability that the outcome is `wanted` or more. */
  probability: number
}

export interface Limits {
  least: number
  most: number
  /** The threshold of the probability. */
  wanted?: number
}

/** The record of the forecasts whose outcome became known in the last 30 days. */
export interface ForecastRecord {
  forecasts: number
  /** Share of outcomes that fell within their band. */
  coverage: number | null
  /** The mean error ÷ the error of forecasting no change. null: nothing changed. */
  error_ratio: number | null
}

export interface ProbabilityRecord extends ForecastRecord {
  /** Mean of the forecast probabilities, and the share of outcomes that reached their threshold. */
  probability: number | null
  met: number | null
}

const day = 24
/** Hours of outcomes that choose the method, make the bands, and enter the record. */
const chosenBy = 60 * day
const bandOf = 30 * day
const recorded = 30 * day
const fewestOutcomes = 7 * day

/** Target share of outcomes outside of the band. */
const outside = 0.2
/** The step size of adaptive conformal inference (Gibbs and Candès 2021, equation 2): a larger one adapts faster and varies more. */
const pace = 0.003
/**
 * The upper limit of alpha. If prices hardly move, even bands of zero width hold too many outcomes, and alpha would rise forever. From 1 on
 * bands have zero width. The excess compensates for the surplus, and delays wider bands by five days at most once a price begins to move.
 */
const narrowest = 1.3

/** Forecast methods: a part of the way to the mean of some hours, or a part of the last day's change again. */
const ways = [
  { hours: 1, part: 0 }, // no change
  ...[1, 3, 7, 30].flatMap((days) => [0.15, 0.35, 0.6].map((part) => ({ hours: days * day, part }))),
  ...[-0.15, -0.3].map((part) => ({ hours: 0, part })),
]

/** Forecasts the last of `values` after forecasting every hour before it. null: too little data. */
export function forecastValue(
  values: HourlyValues,
  horizon: number,
  limits: Limits,
): { forecast: ValueForecast | null; record: ProbabilityRecord } {
  const { last, outcomes } = forecastAll(values, horizon, limits)
  const forecast = last?.isGiven ? toForecast(last) : null
  return { forecast, record: recordOf(outcomes.slice(-recorded), limits) }
}

/** All published forecasts whose outcome is known, and the last forecast. */
export function forecastAll(values: HourlyValues, horizon: number, limits: Limits) {
  const { least, most, wanted = least } = limits
  const within = (value: number) => Math.min(most, Math.max(least, value))
  const guessesAt = openGuesses(values)
  const stored: (StoredForecast | undefined)[] = []
  const errors = ways.map(() => new SlidingSum(chosenBy))
  const band = new SortedWindow(bandOf)
  const enough = openChance(wanted)
  const outcomes: (ForecastOutcome & { isGiven: boolean })[] = []
  let alpha = outside
  for (let hour = 0; hour < values.length; hour += 1) {
    const before = stored[hour - horizon]
    const outcome = values[hour]
    if (before && outcome != null) {
      const wrong = before.guesses.map((guess) => Math.abs(outcome - guess))
      for (const [way, error] of wrong.entries()) errors[way]?.add(error)
      const isIn = outcome >= before.low && outcome <= before.high
      // Bands from few or no errors are no evidence for the width of later ones.
      if (before.isGiven) alpha = Math.min(narrowest, alpha + pace * (outside - (isIn ? 0 : 1)))
      band.add(Math.abs(outcome - before.value))
      const now = values[hour - horizon] ?? outcome
      enough.add(now, outcome)
      outcomes.push({ ...before, outcome, now })
    }
    const guesses = guessesAt(hour)?.map(within)
    if (!guesses) continue
    const [asNow = Number.NaN] = guesses
    // The forecast goes half of the way: the best method of some weeks is not always the best in the next ones.
    const value = (asNow + (guesses[bestOf(errors, horizon)] ?? asNow)) / 2
    const reach = band.quantile(1 - alpha)
    const isGiven = outcomes.length >= fewestOutcomes
    const ends = { low: within(value - reach), high: within(value + reach) }
    stored[hour] = { value, ...ends, probability: enough.after(values[hour] ?? value), guesses, isGiven }
  }
  return { last: stored[values.length - 1], outcomes: outcomes.filter(({ isGiven }) => isGiven) }
}

const toForecast = ({ value, low, high, probability }: StoredForecast): ValueForecast => ({
  value,
  low,
  high,
  probability,
})

interface StoredForecast extends ValueForecast {
  /** The forecast of each method. */
  guesses: number[]
  /** True if enough outcomes were known then to publish it. */
  isGiven: boolean
}

export interface ForecastOutcome extends ValueForecast {
  now: number
  outcome: number
}

/** Scores forecasts against their outcomes. */
export function recordOf(
  outcomes: readonly ForecastOutcome[],
  { least, wanted = least }: Pick<Limits, 'least' | 'wanted'>,
): ProbabilityRecord {
  const forecasts = outcomes.length
  if (forecasts === 0) return { forecasts, coverage: null, error_ratio: null, probability: null, met: null }
  const asNow = mean(outcomes.map(({ now, outcome }) => Math.abs(outcome - now)))
  const error = mean(outcomes.map(({ value, outcome }) => Math.abs(outcome - value)))
  const share = (passes: (one: ForecastOutcome) => boolean) => outcomes.filter(passes).length / forecasts
  return {
    forecasts,
    coverage: share(({ low, high, outcome }) => outcome >= low && outcome <= high),
    error_ratio: asNow === 0 ? null : error / asNow,
    probability: mean(outcomes.map(({ probability }) => probability)),
    met: share(({ outcome }) => outcome >= wanted),
  }
}

/** The forecast of each method in an hour. If less than half of a mean's hours are known, the present value is used. */
function openGuesses(values: HourlyValues) {
  const sums = [0]
  const counts = [0]
  for (const value of values) {
    sums.push((sums.at(-1) ?? 0) + (value ?? 0))
    counts.push((counts.at(-1) ?? 0) + (value === null ? 0 : 1))
  }
  const meanOf = (end: number, hours: number) => {
    const start = Math.max(0, end - hours)
    const count = (counts[end] ?? 0) - (counts[start] ?? 0)
    return count >= hours / 2 ? ((sums[end] ?? 0) - (sums[start] ?? 0)) / count : undefined
  }
  return (hour: number): number[] | undefined => {
    const now = values[hour]
    if (now == null) return undefined
    return ways.map(({ hours, part }) => {
      const toward = hours === 0 ? values[hour - day] : meanOf(hour + 1, hours)
      return toward == null ? now : now + part * (toward - now)
    })
  }
}

/**
 * The method with the smallest errors; the first (no change), unless another one is clearly better. Overlapping forecasts share their
 * outcomes, so a longer horizon has less evidence, and requires a larger difference.
 */
function bestOf(errors: readonly SlidingSum[], horizon: number): number {
  const sums = errors.map(({ sum }) => sum)
  const [asNow = 0] = sums
  const least = Math.min(...sums)
  const isKnown = (errors[0]?.count ?? 0) >= bandOf
  return isKnown && least < asNow * (1 - 0.6 / Math.sqrt(chosenBy / horizon)) ? sums.indexOf(least) : 0
}

/**
 * The probability that a figure is `wanted` or more: its frequency, separately after hours in which the figure was and was not. Rare cases
 * are shrunk towards the overall frequency with the weight of a day, because adjacent hours repeat each other.
 */
function openChance(wanted: number) {
  const open = () => new SlidingSum(chosenBy)
  const [all, afterWanted, afterLess] = [open(), open(), open()]
  const afterLike = (now: number) => (now >= wanted ? afterWanted : afterLess)
  return {
    add(now: number, outcome: number): void {
      for (const one of [all, afterLike(now)]) one.add(outcome >= wanted ? 1 : 0)
    },
    after(now: number): number {
      const [usual, here] = [(all.sum + 0.5) / (all.count + 1), afterLike(now)]
      return (here.sum + day * usual) / (here.count + day)
    },
  }
}
