import type { Clock } from '../platform/clock.ts'

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() / 1000 }
