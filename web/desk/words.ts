import type { Obstacle, Verdict } from '../../contract/advice-kinds.ts'
import { day, hour } from '../../contract/durations.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import { duration, earned } from '../format.ts'
import type { Basis, Trouble } from '../machines/attention.ts'
import { type Outlook, perDay } from './outlook.ts'

/** The reasons why nothing is recommended, in a few words. */
export const shortObstacles: Record<Obstacle, string> = {
  offline: 'offline',
  no_rentals_known: 'no rentals known',
  no_market: 'not on the market',
  no_others: 'no other offers',
  unsure: 'too close to call',
}

/** The reasons for a missing comparison with other hosts. */
export const setReasons: Record<NonNullable<OwnFigures['comp_set']['reason']>, string> = {
  not_seen: 'not on the market for 7 days',
  few_machines: 'fewer than 4 other similar machines',
  few_hosts: 'fewer than 3 other hosts',
  dominant_host: 'one host has most of them',
  not_rented: 'no other machine was rented',
  no_rentals_known: 'rentals are not known from this source',
}

/** The same reasons in a few words. */
export const shortSetReasons: typeof setReasons = {
  not_seen: 'not on the market',
  few_machines: 'few similar',
  few_hosts: 'few hosts',
  dominant_host: 'one large host',
  not_rented: 'none rented',
  no_rentals_known: 'rentals not known',
}

/** The advice on a price, in a few words. */
export const verdicts: Record<Verdict, string> = {
  raise: 'Underpriced',
  lower: 'Overpriced',
  keep: 'Good price',
  try: 'Another price to try',
  start: 'Not listed',
  unknown: 'No price to compare with',
}

/** The reasons why a machine needs attention, in a few words. */
export const troubles: Record<Trouble, string> = {
  offline: 'Offline',
  idle: 'Idle too long',
  dear: verdicts.lower,
  cheap: verdicts.raise,
}

/** The basis of amounts, in words. */
export const attentionBasis: Record<Basis, string> = {
  net: 'after power and fee',
  gross: 'before costs',
}

/** The part of the last 30 days with observations, as in "30 d" or "21 d". */
export const daysCovered = (seconds: number): string =>
  seconds < day ? duration(seconds) : `${Math.round(seconds / day)} d`

const ordinals = [
  'cheapest',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'dearest',
]

/** The tenth of the available GPUs, by price. */
export const tenthOf = (position: number): string => `${ordinals[position]} tenth`

/** Hours, in words. */
export const hoursWords = (hours: number): string => duration(hours * hour)

/** Both ends of an interval of daily income. */
export function rangeADay(income: Outlook['income']): string {
  if (!income) return ''
  const { low, high } = perDay(income)
  return `${earned(low)} to ${earned(high)}`
}
