import { day, hour, week } from './durations.ts'

// Without zod: the page imports this, too.

/** The default of SNAPSHOT_INTERVAL, in seconds. */
export const usualInterval = 300

/** The steps, in seconds, whose answers are stored in the cube: 15 min, 1 h, 3 h, 6 h, 12 h, 1 d, 1 w. */
export const ladder = [900, hour, 10_800, 21_600, 43_200, day, week] as const

/** The longest step of the ladder that divides `step`; none when even the shortest does not. */
export const ladderStepOf = (step: number) => ladder.findLast((stored) => step % stored === 0)

/** The steps with a stored price histogram, beside the hour. */
export const priceSteps = [day, 21_600] as const

/** Days of the mean book that gives a price its position. */
export const bookDays = 7

/** The cube's step for single slots. */
export const slotStep = 1

/** Buckets of whole hours pool their percentiles from the hourly price histogram, finer ones from observations. */
export const isHourly = (step: number): boolean => step % hour === 0

export const floorTo = (step: number, seconds: number): number => Math.floor(seconds / step) * step
export const ceilTo = (step: number, seconds: number): number => Math.ceil(seconds / step) * step

/** The whole buckets of `step` that a range touches: k·step < to and (k+1)·step > from. `to` is exclusive. */
export const wholeBuckets = (step: number, { from, to }: { from: number; to: number }) => ({
  from: floorTo(step, from),
  to: ceilTo(step, to),
})
