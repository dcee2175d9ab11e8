import { expect, it } from 'vitest'
import { forecastValue } from '../../estimates/forecast.ts'
import { normal } from '../../estimates/normal.ts'
import { seeded } from '../../simulate/random.ts'

const nothingKnown = { forecasts: 0, coverage: null, error_ratio: null, probability: null, met: null }
const anything = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }

/** A figure that goes back to 1 by `pull` an hour. */
function walk(seed: number, hours: number, pull: number): number[] {
  const random = seeded(seed)
  let value = 1
  return Array.from({ length: hours }, () => {
    value += pull * (1 - value) + 0.01 * normal(random)
    return value
  })
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const records = (pull: number, horizon: number) =>
  Array.from({ length: 12 }, (_, seed) => forecastValue(walk(seed, 3120, pull), horizon, anything).record)

it.each([
  [0.02, 24],
  [0.02, 168],
  [0, 24],
])('bands hold 80 %% of outcomes (pull %d, %d hours)', (pull, horizon) => {
  const coverage = meanOf(records(pull, horizon).map((record) => record.coverage ?? 0))
  expect(coverage).toBeGreaterThan(0.75)
  expect(coverage).toBeLessThan(0.85)
})

it('a forecast begins with bands that hold 80 % of outcomes', () => {
  // A month after the first forecast a week ahead was given.
  const first = Array.from({ length: 24 }, (_, seed) =>
    forecastValue(walk(seed, 168 * 2 + 720, 0.02), 168, anything),
  )
  const coverage = meanOf(first.map(({ record }) => record.coverage ?? 0))
  expect(coverage).toBeGreaterThan(0.74)
  expect(coverage).toBeLessThan(0.86)
})

it('a forecast beats the current value in a predictable series, and equals it in a random one', () => {
  const ratio = (pull: number) => meanOf(records(pull, 24).map((record) => record.error_ratio ?? 0))
  expect(ratio(0.04)).toBeLessThan(0.9)
  expect(ratio(0)).toBeLessThan(1.02)
})

it('the record scores each forecast as it was made from the hours before it', () => {
  const values = walk(5, 320, 0.02)
  const given = values.map((_, hour) => forecastValue(values.slice(0, hour + 1), 24, anything).forecast)
  const fared = given.flatMap((forecast, hour) => {
    const outcome = values[hour + 24]
    return forecast && outcome !== undefined ? [{ ...forecast, outcome, now: values[hour] ?? 0 }] : []
  })
  const held = fared.filter(({ low, high, outcome }) => outcome >= low && outcome <= high)
  const error = meanOf(fared.map(({ value, outcome }) => Math.abs(value - outcome)))
  const asNow = meanOf(fared.map(({ now, outcome }) => Math.abs(now - outcome)))
  const { record } = forecastValue(values, 24, anything)
  expect(record.forecasts).toBe(fared.length)
  expect(fared.length).toBeGreaterThan(50)
  expect(record.coverage).toBeCloseTo(held.length / fared.length, 12)
  expect(record.error_ratio).toBeCloseTo(error / asNow, 12)
})

it('the example of the documentation', () => {
  const values = [...new Array<number>(959).fill(1), 1.2]
  const { forecast, record } = forecastValue(values, 24, anything)
  expect(forecast).toMatchObject({ value: 1.2, low: 1.2, high: 1.2 })
  expect(record).toMatchObject({ forecasts: 720, coverage: 719 / 720 })
})

it('the example of the documentation of availability', () => {
  // 8 GPUs are available, but only 2 on each third day.
  const counts = Array.from({ length: 960 }, (_, hour) => (Math.floor(hour / 24) % 3 === 2 ? 2 : 8))
  const { forecast, record } = forecastValue(counts, 24, { least: 0, most: 100, wanted: 8 })
  expect(forecast?.probability).toBeCloseTo((312 + (24 * 624.5) / 937) / 648, 12)
  expect(forecast?.probability).toBeCloseTo(0.506, 3)
  expect(record.met).toBeCloseTo(2 / 3, 12)
  expect(record.probability).toBeCloseTo(2 / 3, 2)
})

it('a forecast without enough data has no value and no bounds', () => {
  const short = forecastValue(walk(1, 24 + 167, 0), 24, anything)
  expect(short).toEqual({ forecast: null, record: nothingKnown })
  expect(forecastValue([], 24, anything).forecast).toBeNull()
  const gone = [...walk(1, 900, 0), null]
  expect(forecastValue(gone, 24, anything).forecast).toBeNull()
  const gaps = walk(1, 900, 0).map((value, hour) => (hour % 7 === 2 ? null : value))
  expect(forecastValue(gaps, 24, anything).forecast).not.toBeNull()
  const bounded = forecastValue(
    walk(2, 900, 0.01).map((value) => Math.min(1, value)),
    24,
    { least: 0.9, most: 1 },
  )
  expect(bounded.forecast?.low).toBeGreaterThanOrEqual(0.9)
  expect(bounded.forecast?.high).toBeLessThanOrEqual(1)
  const still = forecastValue(new Array<number>(900).fill(0.5), 24, anything)
  expect(still).toMatchObject({
    forecast: { value: 0.5, low: 0.5, high: 0.5 },
    record: { coverage: 1, error_ratio: null },
  })
})
