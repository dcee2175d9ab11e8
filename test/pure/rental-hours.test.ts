import { describe, expect, it } from 'vitest'
import { day, hour } from '../../contract/durations.ts'
import { type CountedHour, isWeekend } from '../../estimates/hour-model.ts'
import { normal } from '../../estimates/normal.ts'
import { patternOf, type WeekPattern } from '../../estimates/rental-hours.ts'
import { exponential, type Random, seeded } from '../../simulate/random.ts'

const monday = 20_000 * day - ((20_000 - 4) % 7) * day
const week = Array.from({ length: 168 }, (_, index) => monday + index * hour)

interface Drawn {
  days: number
  /** Rentals of a day. GPUs are rented `together` at once. */
  perDay: number
  together?: number
  /** Standard deviation of ln demand from day to day. */
  unrest?: number
  rateAt?: (time: number) => number
}

function poisson(random: Random, expected: number): number {
  let count = -1
  for (let at = 0; at <= expected; at += exponential(random, 1)) count += 1
  return count
}

/** Rentals of each hour in a market with a supply that changes from hour to hour. */
function drawHours(seed: number, { days, perDay, together = 1, unrest = 0, rateAt = () => 1 }: Drawn) {
  const random = seeded(seed)
  let supply = 1
  return Array.from({ length: days }, () => Math.exp(unrest * normal(random))).flatMap((demand, index) =>
    Array.from({ length: 24 }, (_, hourOfDay): CountedHour => {
      const start = monday + index * day + hourOfDay * hour
      supply = Math.min(2, Math.max(0.3, supply * Math.exp(0.1 * normal(random))))
      const expected = (perDay / 24) * supply
      const drawn = poisson(random, (expected * demand * rateAt(start)) / together)
      return { start, rentals: together * drawn, expected }
    }),
  )
}

const patternIn = (hours: readonly CountedHour[], meanRig = 1) =>
  patternOf({ hours, exposure_gpu_hours: 1000, meanRig, apart: 0 })

const smooth = (time: number) =>
  (1 + 0.3 * Math.cos((2 * Math.PI * ((time % day) - 15 * hour)) / day)) * (isWeekend(time) ? 0.8 : 1)

describe('the hours of rentals', () => {
  it.each<[string, Omit<Drawn, 'days'>]>([
    ['GPUs that are rented one by one', { perDay: 40 }],
    ['GPUs that are rented four at a time', { perDay: 80, together: 4 }],
    ['days that differ', { perDay: 60, unrest: 0.25 }],
  ])('show a pattern in at most 6 of 120 markets without one, with %s', (_, drawn) => {
    const found = Array.from({ length: 120 }, (_, seed) =>
      patternIn(drawHours(seed + 1, { ...drawn, days: 28 }), drawn.together),
    )
    expect(found.every(({ p_value }) => p_value !== null)).toBe(true)
    expect(found.filter(({ reason }) => reason !== 'no_pattern_found').length).toBeLessThanOrEqual(6)
  })

  it.each<[string, Omit<Drawn, 'days'>]>([
    ['GPUs that are rented one by one', { perDay: 60 }],
    ['days that differ', { perDay: 100, unrest: 0.25 }],
  ])('show a planted pattern, with intervals that hold it, with %s', (_, drawn) => {
    const markets = 80
    const shown = Array.from({ length: markets }, (_, seed) =>
      patternIn(drawHours(seed + 1, { ...drawn, days: 28, rateAt: smooth })),
    ).flatMap(({ pattern }) => pattern ?? [])
    expect(shown.length).toBeGreaterThan(0.95 * markets)
    const truth = week.map(smooth)
    const mean = truth.reduce((sum, one) => sum + one, 0) / 168
    const held = shown.flatMap(({ ratios }) =>
      ratios.map(({ low, high }, index) => {
        const ratio = (truth[index] ?? 0) / mean
        return low <= ratio && ratio <= high
      }),
    )
    const share = held.filter(Boolean).length / held.length
    expect(share).toBeGreaterThan(0.93)
    expect(share).toBeLessThan(0.98)
    expect(shown.filter(({ busiest }) => apart(busiest.from, 12) <= 3).length).toBeGreaterThan(
      0.95 * shown.length,
    )
    expect(shown.filter(({ weekend }) => weekend.value < 1).length).toBeGreaterThan(0.9 * shown.length)
  })

  it('have the ratios of the worked example', () => {
    // docs/numbers.md
    const hours = week.flatMap((start) =>
      [0, 1, 2, 3].map((weeks): CountedHour => {
        const time = start + weeks * 7 * day
        return { start: time, rentals: (time % day) / hour >= 12 ? 3 : 1, expected: 2 }
      }),
    )
    const { pattern, p_value } = patternIn(hours)
    const near = (value: number) => expect.closeTo(value, 2)
    expect(p_value).toBeLessThan(1e-6)
    expect(pattern?.busiest).toEqual({
      from: 15,
      to: 21,
      value: near(1.56),
      low: near(1.47),
      high: near(1.66),
    })
    expect(pattern?.quietest).toEqual({ from: 3, to: 9, value: near(0.44), low: near(0.38), high: near(0.5) })
    expect(pattern?.weekend).toEqual({ value: near(1), low: near(0.88), high: near(1.13) })
    expect(pattern?.ratios[18]).toEqual({ value: near(1.6), low: near(1.46), high: near(1.76) })
  })

  const full = drawHours(3, { days: 28, perDay: 60, rateAt: smooth })
  it.each<[string, CountedHour[]]>([
    ['of 13 days', full.slice(0, 13 * 24)],
    ['without weekends', full.filter(({ start }) => !isWeekend(start))],
    ['in which nights have no data', full.filter(({ start }) => start % day > 6 * hour)],
    [
      'in which nights have no free GPUs',
      full.map((one) => (one.start % day > 6 * hour ? one : { ...one, rentals: 0, expected: 0 })),
    ],
    ['without data', []],
    ['without free GPUs', full.map((one) => ({ ...one, rentals: 0, expected: 0 }))],
  ])('are null in counts %s', (_, hours) => {
    expect(patternIn(hours)).toEqual({ reason: 'short_range', pattern: null, p_value: null })
  })

  it('are null with too few rentals, few independent ones, little exposure and rare sights', () => {
    const flat = { exposure_gpu_hours: 1000, meanRig: 1, apart: 0 }
    const few = drawHours(4, { days: 28, perDay: 5 })
    const none = full.map((one) => ({ ...one, rentals: 0 }))
    const whole = drawHours(5, { days: 28, perDay: 40, together: 8 })
    const reasons = [
      patternOf({ ...flat, hours: few }),
      patternOf({ ...flat, hours: none }),
      patternOf({ ...flat, hours: whole, meanRig: 8 }),
      patternOf({ ...flat, hours: full, exposure_gpu_hours: 20 }),
      patternOf({ ...flat, hours: full, apart: 2 * hour }),
    ].map(({ reason }) => reason)
    expect(reasons).toEqual(['few_rentals', 'few_rentals', 'few_rentals', 'little_exposure', 'rare_sights'])
  })

  it('have bounded ratios where no night has a rental, and where days are missing', () => {
    const nights = full.map((one) => ({ ...one, rentals: one.start % day < 8 * hour ? 0 : 2 }))
    const holes = full.filter(({ start }) => Math.floor(start / day) % 3 > 0 || start % day > 3 * hour)
    for (const hours of [nights, holes]) {
      const { pattern } = patternIn(hours)
      for (const { value, low, high } of allOf(pattern)) {
        expect(low).toBeGreaterThan(0)
        expect(low).toBeLessThanOrEqual(value)
        expect(high).toBeGreaterThanOrEqual(value)
        expect(high).toBeLessThan(10)
      }
    }
  })
})

const allOf = (pattern: WeekPattern | null) =>
  pattern ? [...pattern.ratios, pattern.busiest, pattern.quietest, pattern.weekend] : []

/** Hours between two hours of the day. */
const apart = (one: number, other: number) => Math.min((one - other + 24) % 24, (other - one + 24) % 24)
