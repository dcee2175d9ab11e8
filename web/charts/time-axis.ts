import { day, hour } from '../../contract/durations.ts'
import { monthOf } from '../format.ts'

/** Seconds by which the wall clock is ahead of UTC at a moment, in Unix seconds. */
export type OffsetAt = (seconds: number) => number

export const inUtc: OffsetAt = () => 0
export const inOwnZone: OffsetAt = (seconds) => -60 * new Date(seconds * 1000).getTimezoneOffset()

/** The least distances, in seconds, at which uPlot's ticks are months and years. */
const [month, year] = [28 * day, 365 * day]

/** The wall clock's time as the UTC fields of a date. Dates of the browser's own zone skip and repeat times at a change of its clock. */
const wallAt = (seconds: number, offsetAt: OffsetAt): Date => new Date((seconds + offsetAt(seconds)) * 1000)

/**
 * The moments at which the wall clock shows a time (given as if it were UTC). There are two if the clock was put back over the time, and none if it
 * was put forward over it.
 */
function momentsOf(wall: number, offsetAt: OffsetAt): number[] {
  const offsets = [offsetAt(wall - day), offsetAt(wall + day)]
  return [...new Set(offsets.map((offset) => wall - offset))].filter((at) => at + offsetAt(at) === wall)
}

/** The times of the wall clock at which an axis from `first` to `last` may have ticks, `apart` seconds from each other. */
function wallTimes(first: number, last: number, apart: number): number[] {
  const date = new Date(first * 1000)
  const [firstYear, firstMonth] = [date.getUTCFullYear(), date.getUTCMonth()]
  const months =
    apart < month ? 0 : apart < year ? Math.round(apart / (30 * day)) : 12 * Math.round(apart / year)
  // Years are multiples of their distance, months begin with the year, days with the first one, and all shorter times with the day.
  const start = months < 12 ? firstYear : Math.floor(firstYear / (months / 12)) * (months / 12)
  const skipped = months > 0 && months < 12 ? Math.floor(firstMonth / months) : 0
  const begin = Math.floor(first / day) * day
  const at = (n: number) => (months > 0 ? Date.UTC(start, (skipped + n) * months) / 1000 : begin + n * apart)
  const times: number[] = []
  for (let n = 0; at(n) <= last; n += 1) times.push(at(n))
  return times
}

/** The ticks of a time axis in Unix seconds, at round times of the wall clock. `apart`: uPlot's distance between two of them. */
export function timeTicks(from: number, to: number, apart: number, offsetAt: OffsetAt): number[] {
  const walls = wallTimes(from - day, to + day, apart)
  const ticks = walls.flatMap((wall) => {
    const moments = momentsOf(wall, offsetAt)
    // A day that begins with a change of the clock begins at the change. A time that occurs twice has two ticks on an axis of hours or less.
    if (moments.length === 0 && apart >= day) return [wall - offsetAt(wall - day)]
    return apart > hour ? moments.slice(0, 1) : moments
  })
  return ticks.filter((tick) => tick >= from && tick <= to).sort((a, b) => a - b)
}

/**
 * The labels of ticks. A tick at which the year changes (on an axis of hours, the day) shows it in a second line. The present year, in which `now`
 * is, needs no line.
 */
export function timeLabels(
  ticks: readonly number[],
  apart: number,
  offsetAt: OffsetAt,
  now: number,
): string[] {
  let before = apart >= day ? `${wallAt(now, offsetAt).getUTCFullYear()}` : ''
  return ticks.map((tick) => {
    const wall = wallAt(tick, offsetAt)
    const [yearText, monthText, time] = [`${wall.getUTCFullYear()}`, monthOf(wall), wall.toISOString()]
    const date = `${wall.getUTCDate()} ${monthText}`
    if (apart >= year) return yearText
    const [text, turning] =
      apart >= month
        ? [monthText, yearText]
        : apart >= day
          ? [date, yearText]
          : [time.slice(11, apart >= 60 ? 16 : 19), date]
    const label = turning === before ? text : `${text}\n${turning}`
    before = turning
    return label
  })
}
