/**
 * The time of day. Code that depends on it receives a clock as an argument, so that a test can hold or move it. The process has
 * one (cli/system-clock.ts). Statements that compare with the current time read it from rackrate_now() of PostgreSQL. Durations
 * are measured with performance.now(), which does not jump when the clock of the machine is set.
 */
export interface Clock {
  /** Unix seconds, with a fraction. */
  now(): number
}

/** The current date, plus `later` seconds. */
export const dateOf = (clock: Clock, later = 0): Date => new Date((clock.now() + later) * 1000)
