import type { Job } from './schema.ts'

/** The times of a job, in UTC. */
export interface Slots {
  frequency: Job['frequency']
  /** 0 = Sunday; WEEKLY only */
  day_of_the_week: number | null
  /** DAILY and WEEKLY */
  hour_of_the_day: number | null
  min_of_the_hour: number
  /** Unix seconds; the first slot is at or after it. */
  start_time: number
  /** Unix seconds; no slot at or after it. */
  end_time: number | null
}

const periods = { HOURLY: 3600, DAILY: 86_400, WEEKLY: 604_800 }
const thursday = 4 // 1970-01-01 was a Thursday.

/** The first slot at or after `from` (unix seconds); null when the job has ended by then. */
export function nextSlot(job: Slots, from: number): number | null {
  const slot = slotAtOrAfter(job, Math.max(from, job.start_time))
  return job.end_time === null || slot < job.end_time ? slot : null
}

/** The last slot at or before `at` and before the end. The job must have one. */
export const lastSlot = (job: Slots, at: number): number =>
  slotAtOrAfter(job, job.end_time !== null && job.end_time <= at ? job.end_time : at + 1e-3) -
  periods[job.frequency]

function slotAtOrAfter(job: Slots, from: number): number {
  const { frequency, day_of_the_week: day, hour_of_the_day: hour, min_of_the_hour: minute } = job
  const period = periods[frequency]
  const offset = (day === null ? 0 : (day - thursday + 7) % 7) * 86_400 + (hour ?? 0) * 3600 + minute * 60
  return Math.ceil((from - offset) / period) * period + offset
}

/** The minute of the hour of the first whole minute at or after a time. It makes the first slot of a job start close to `start_time`. */
export const minuteOf = (time: number): number => Math.ceil(time / 60) % 60
