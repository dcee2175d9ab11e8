import { keysOf } from './records.ts'
// Without zod: the page imports this, too.

/** The unit of a figure. */
export type AlertUnit = 'dollars' | 'share' | 'rate' | 'gpus'

/** Figures of the market that a rule can watch: their names in the form and in messages, and their units. */
export const alertFigures = {
  avail_median: ['available median', 'the available median', 'dollars'],
  avail_p10: ['available p10', 'p10 of the available prices', 'dollars'],
  avail_p90: ['available p90', 'p90 of the available prices', 'dollars'],
  rented_median: ['rented median', 'the rented median', 'dollars'],
  rented_p10: ['rented p10', 'p10 of the rented prices', 'dollars'],
  rented_p90: ['rented p90', 'p90 of the rented prices', 'dollars'],
  occupancy: ['occupancy', 'the occupancy', 'share'],
  fill_rate: ['fill rate', 'the fill rate', 'rate'],
  available_gpus: ['available GPUs', 'the number of available GPUs', 'gpus'],
  total_gpus: ['GPUs on the market', 'the number of GPUs on the market', 'gpus'],
  list_price: ['list price of clouds', 'the lowest list price of a cloud', 'dollars'],
} as const satisfies Record<string, readonly [title: string, said: string, unit: AlertUnit]>

export type AlertStatistic = keyof typeof alertFigures
export const alertStatistics = keysOf(alertFigures)
export const unitOf = (statistic: AlertStatistic): AlertUnit => alertFigures[statistic][2]

/** The smallest possible value of a figure, whether it occurs, the largest one, and both in words. */
interface FigureRange {
  least: number
  isLeastReached: boolean
  most: number | undefined
  said: string
}

/** The possible values of figures by unit. A fill rate is not known below five rentals, so it is never 0. */
export const alertRanges: Record<AlertUnit, FigureRange> = {
  dollars: { least: 0, isLeastReached: false, most: undefined, said: 'a price is above 0' },
  share: { least: 0, isLeastReached: true, most: 1, said: 'a share is between 0 and 1' },
  rate: { least: 0, isLeastReached: false, most: undefined, said: 'a fill rate is above 0' },
  gpus: { least: 0, isLeastReached: true, most: undefined, said: 'a number of GPUs is at least 0' },
}

/** Hours over which a figure may fall or rise. Few values, so that a slot reads few older slots for any number of rules. */
export const alertSpans = [1, 3, 6, 12, 24, 48, 72, 168, 336, 720] as const

/** The largest possible change in percent: nothing falls below 0. */
export const mostPercent = { falls: 100, rises: 1000 } as const
export const leastPercent = 0.1

/** A duration in words. */
export function spanOf(hours: number): string {
  if (hours > 24) return `${hours / 24} days`
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** Limits per account and per rule. */
export const alertLimits = {
  rules: 100,
  name: 100,
  slots: 288,
  hours: 720,
  days: 90,
  minutes: 10_080,
  tryDays: 31,
} as const
