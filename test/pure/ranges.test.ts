import { expect, it } from 'vitest'
import { floorTo, isHourly, ladder, wholeBuckets } from '../../contract/ladder.ts'
import { hoursOfRow, partsOfSteps, splitSteps } from '../../ingest/ranges.ts'
import { seeded } from '../../simulate/random.ts'

const day = 86_400
const steps = ladder.filter(isHourly)

it('the parts of several steps have each non-empty bucket once, in bounded statements', () => {
  const random = seeded(20_261_123)
  const sizes = new Set<number>()
  for (let turn = 0; turn < 200; turn += 1) {
    const start = 1_790_000_000 + Math.floor(random() * 1000) * 300
    const range = { from: start, to: start + Math.ceil(300 * 100 ** (2 * random())) }
    const week = wholeBuckets(7 * day, range)
    const busy = 4_000_000 * random() ** 8
    const hours = Array.from({ length: (week.to - week.from) / 3600 }, (_, n) => ({
      hour: week.from + n * 3600,
      observations: Math.ceil(random() * busy),
    })).filter(() => random() < 0.8)
    const found = splitSteps(hours, steps, range)
    for (const step of steps) {
      const buckets = found
        .filter((part) => part.steps.includes(step))
        .flatMap((part) => bucketsOf(step, wholeBuckets(step, part), hours))
      expect(buckets).toEqual(bucketsOf(step, wholeBuckets(step, range), hours))
    }
    for (const part of found) {
      sizes.add(part.steps.length)
      if (part.steps.length === 1) continue
      const together = part.steps.flatMap((step) => {
        const { from, to } = wholeBuckets(step, part)
        const within = hours.filter(({ hour }) => hour >= from && hour < to)
        return within.map(({ observations }) => observations / hoursOfRow(step))
      })
      expect(together.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2_000_000)
      expect(part.to - part.from).toBeLessThanOrEqual(31 * day)
    }
  }
  expect([...sizes].sort()).toEqual([1, 2, 3, 4, 5, 6])
})

it.each([
  ['all steps in one part', 100, 1],
  ['the steps one by one', 40_000, steps.length],
])('a check of a small or a large market leaves nothing out: %s', (_, observations, fewest) => {
  const range = { from: 1_790_000_100, to: 1_790_000_100 + 9 * day }
  const week = wholeBuckets(7 * day, range)
  const hours = Array.from({ length: (week.to - week.from) / 3600 }, (_, n) => ({
    hour: week.from + n * 3600,
    observations,
  })).filter(({ hour }) => hour < range.from + day || hour > range.from + 3 * day)
  const parts = partsOfSteps(hours, steps, range)
  expect(parts.length).toBeGreaterThanOrEqual(fewest)
  if (fewest === 1) expect(parts).toEqual([{ ...range, steps }])
  for (const step of steps) {
    const own = parts.filter((part) => part.steps.includes(step)).map((part) => wholeBuckets(step, part))
    const whole = wholeBuckets(step, range)
    // Each part begins where the one before ends.
    expect(own.map(({ from }) => from)).toEqual([whole.from, ...own.slice(0, -1).map(({ to }) => to)])
    expect(own.at(-1)?.to).toBe(whole.to)
  }
})

/** The buckets of a range in which something was observed. */
const bucketsOf = (step: number, range: { from: number; to: number }, hours: readonly { hour: number }[]) => [
  ...new Set(
    hours.filter(({ hour }) => hour >= range.from && hour < range.to).map(({ hour }) => floorTo(step, hour)),
  ),
]
