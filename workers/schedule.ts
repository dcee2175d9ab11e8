/**
 * What runs when, in UTC; the first field is the second. Each job looks at what there is to do, so one that comes late, twice
 * or not at all does no harm: `capture` takes the present slot unless it is taken, `load` brings over whatever waits, `deliver` sends
 * what is in the outbox, `jobs` begins the users' scheduled jobs that are due, `forget` drops what
 * was kept for long enough.
 * One second past the minute leaves room for clocks that differ: the slot is decided by the database's.
 */
export const schedules = {
  capture: '1 * * * * *',
  load: '16,46 * * * * *',
  advance: '31 * * * * *',
  deliver: '*/10 * * * * *',
  jobs: '1 * * * * *',
  forget: '41 13 * * * *',
} as const

export type QueueName = keyof typeof schedules
export const queueNames = Object.keys(schedules) as QueueName[]
