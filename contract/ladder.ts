// Without zod: the page imports this, too.

/** Seconds between two snapshots of the market unless SNAPSHOT_INTERVAL says otherwise. */
export const usualInterval = 300

/** The steps, in seconds, whose answers are stored in the cube: 15 min, 1 h, 3 h, 6 h, 12 h, 1 d, 1 w. */
export const ladder = [900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800] as const

/** The longest step of the ladder that divides `step`; none when even the shortest does not. */
export const ladderStepOf = (step: number) => ladder.findLast((stored) => step % stored === 0)

/** The steps whose price histogram is stored, beside that of the hours. */
export const priceSteps = [86_400, 21_600] as const

/** Days of the mean book in which a price has its position. */
export const bookDays = 7

/** The cube's step that holds each slot by itself. */
export const slotStep = 1

/** Buckets of whole hours pool their percentiles from the hourly price histogram, finer ones from observations. */
export const isHourly = (step: number): boolean => step % 3600 === 0

export const floorTo = (step: number, seconds: number): number => Math.floor(seconds / step) * step
export const ceilTo = (step: number, seconds: number): number => Math.ceil(seconds / step) * step

/** The whole buckets of `step` that a range touches: k·step < to and (k+1)·step > from. `to` is exclusive. */
export const wholeBuckets = (step: number, { from, to }: { from: number; to: number }) => ({
  from: floorTo(step, from),
  to: ceilTo(step, to),
})
