import { hour } from '../../contract/durations.ts'
import type { OwnMachine } from '../api/queries.ts'
import { capitalized, duration, weekday, wholePercent } from '../format.ts'

type Waiting = NonNullable<NonNullable<OwnMachine['figures']>['waiting']>

/** True if a machine is idle for longer than 19 of 20 such machines at its price. */
export const waitsTooLong = ({ idle_hours, rare_hours }: Waiting): boolean => idle_hours >= rare_hours

/** The idle time of a machine beside the waits of such machines at its price, and the day until which it is normal. */
export const waitingWords = (waiting: Waiting): string => {
  const day = weekday(waiting.rare_at)
  const rare = duration(hour * waiting.rare_hours)
  return waitsTooLong(waiting)
    ? `not normal at its price since ${day}: only 1 in 20 such machines waits longer than ${rare}`
    : `normal at its price until ${day}: ${wholePercent(waiting.longer)} of such machines wait longer, 1 in 20 longer than ${rare}`
}

export const waitingSentence = (waiting: Waiting): string => `${capitalized(waitingWords(waiting))}.`
