/**
 * The time of day. Whoever depends on it is given one, so that a test can hold or move it; the process has one (cli/system-clock.ts). What a
 * statement compares with the present is read in the statement, from rackrate_now() of PostgreSQL. How long something takes is
 * measured with performance.now(), which does not jump when the clock of the machine is set.
 */
export interface Clock {
  /** Unix seconds, with a fraction. */
  now(): number
}

/** The present as a date, so many seconds later. */
export const dateOf = (clock: Clock, later = 0): Date => new Date((clock.now() + later) * 1000)
