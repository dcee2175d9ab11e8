import { clock, weekday } from '../../format.ts'

/** Unix seconds as a time of the last days, local: Friday 27 Nov, 23:20. */
export const moment = (seconds: number): string => `${weekday(seconds)}, ${clock(seconds)}`

/** A range of times, local. The day stands once where it is one. */
export const momentsBetween = (from: number, to: number): string =>
  `${moment(from)} to ${weekday(from) === weekday(to) ? clock(to) : moment(to)}`
