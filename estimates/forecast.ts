import { mean } from 'simple-statistics'
import { SlidingSum, SortedWindow } from './sliding-window.ts'

// What is forecast of a figure that is known by the hour, and how such forecasts fared. Nothing here reads an hour that comes after the one
// in which a forecast is made, so to go through the past again gives what would have been said then.

/** A figure of each hour, in order. null: not known. */
export type HourlyValues = readonly (number | null)[]

export interface ValueForecast {
  value: number
  /** The ends of the band that holds 80 % of outcomes. */
  low: number
  high: number
  /** That the outcome is `wanted` or more. */
  probability: number
}

export interface Limits {
  least: number
  most: number
  /** What the probability is about. */
  wanted?: number
}

/** How the forecasts of the last 30 days fared whose outcome is known. */
export interface ForecastRecord {
  forecasts: number
  /** Share of outcomes that fell within their band. */
  coverage: number | null
  /** The mean error ÷ that of saying that everything stays as it is. null: nothing moved. */
  error_ratio: number | null
}

export interface ProbabilityRecord extends ForecastRecord {
  /** Mean of the forecast probabilities, and the share of outcomes that reached what they are about. */
  probability: number | null
  met: number | null
}

const day = 24
/** Hours of outcomes that a way of forecasting is chosen by, that bands are made of, and that the record is about. */
const chosenBy = 60 * day
const bandOf = 30 * day
const recorded = 30 * day
const fewestOutcomes = 7 * day

/** Share of outcomes that may be outside of the band. */
const outside = 0.2
/** The step of adaptive conformal inference (Gibbs and Candès 2021, equation 2): larger follows faster and swings more. */
const pace = 0.003
/**
 * Where prices hardly move, bands of no width hold more than they are to, and nothing would end the rise of alpha. It ends here. From 1 on bands
 * have no width; what is above makes up for what they held too often, and has them wait five days at most once a price begins to move.
 */
const narrowest = 1.3

/** Ways to forecast: a part of the way to the mean of some hours, or a part of the last day's change once more. */
const ways = [
  { hours: 1, part: 0 }, // as now
  ...[1, 3, 7, 30].flatMap((days) => [0.15, 0.35, 0.6].map((part) => ({ hours: days * day, part }))),
  ...[-0.15, -0.3].map((part) => ({ hours: 0, part })),
]

/** Forecasts the last of `values` by so many hours, after it has forecast every hour before. null: too little is known. */
export function forecastValue(
  values: HourlyValues,
  horizon: number,
  limits: Limits,
): { forecast: ValueForecast | null; record: ProbabilityRecord } {
  const { last, outcomes } = forecastAll(values, horizon, limits)
  const forecast = last?.isGiven ? told(last) : null
  return { forecast, record: recordOf(outcomes.slice(-recorded), limits) }
}

/** The forecasts of all hours that were given and whose outcome is known, and the last one. */
export function forecastAll(values: HourlyValues, horizon: number, limits: Limits) {
  const { least, most, wanted = least } = limits
  const within = (value: number) => Math.min(most, Math.max(least, value))
  const guessesAt = openGuesses(values)
  const made: (Made | undefined)[] = []
  const errors = ways.map(() => new SlidingSum(chosenBy))
  const band = new SortedWindow(bandOf)
  const enough = openChance(wanted)
  const outcomes: (ForecastOutcome & { isGiven: boolean })[] = []
  let alpha = outside
  for (let hour = 0; hour < values.length; hour += 1) {
    const before = made[hour - horizon]
    const outcome = values[hour]
    if (before && outcome != null) {
      const wrong = before.guesses.map((guess) => Math.abs(outcome - guess))
      for (const [way, error] of wrong.entries()) errors[way]?.add(error)
      const isIn = outcome >= before.low && outcome <= before.high
      // Bands that were made of few errors, or of none, say nothing of how wide later ones should be.
      if (before.isGiven) alpha = Math.min(narrowest, alpha + pace * (outside - (isIn ? 0 : 1)))
      band.add(Math.abs(outcome - before.value))
      const now = values[hour - horizon] ?? outcome
      enough.add(now, outcome)
      outcomes.push({ ...before, outcome, now })
    }
    const guesses = guessesAt(hour)?.map(within)
    if (!guesses) continue
    const [asNow = Number.NaN] = guesses
    // Half of the way: what was best over some weeks is not always so in the next ones.
    const value = (asNow + (guesses[bestOf(errors, horizon)] ?? asNow)) / 2
    const reach = band.quantile(1 - alpha)
    const isGiven = outcomes.length >= fewestOutcomes
    const ends = { low: within(value - reach), high: within(value + reach) }
    made[hour] = { value, ...ends, probability: enough.after(values[hour] ?? value), guesses, isGiven }
  }
  return { last: made[values.length - 1], outcomes: outcomes.filter(({ isGiven }) => isGiven) }
}

const told = ({ value, low, high, probability }: Made): ValueForecast => ({ value, low, high, probability })

interface Made extends ValueForecast {
  /** What each way says. */
  guesses: number[]
  /** Whether enough outcomes were known then to give it. */
  isGiven: boolean
}

export interface ForecastOutcome extends ValueForecast {
  now: number
  outcome: number
}

/** How forecasts fared. */
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

/** What each way says in an hour. A mean of hours of which less than half are known is taken for the present value. */
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
 * The way with the smallest errors; the first, as now, unless another was clearly better. Outcomes of forecasts that overlap say the same, so a
 * longer horizon has fewer of them to tell by, and asks for more.
 */
function bestOf(errors: readonly SlidingSum[], horizon: number): number {
  const sums = errors.map(({ sum }) => sum)
  const [asNow = 0] = sums
  const least = Math.min(...sums)
  const isKnown = (errors[0]?.count ?? 0) >= bandOf
  return isKnown && least < asNow * (1 - 0.6 / Math.sqrt(chosenBy / horizon)) ? sums.indexOf(least) : 0
}

/**
 * How likely a figure is `wanted` or more: how often it was, after hours in which it was and after those in which it was not. Few hours are pulled
 * to how often it was after any hour, as if there had been a day of these: hours that follow each other say the same.
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
