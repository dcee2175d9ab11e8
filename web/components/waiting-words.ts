import { hour } from '../../contract/durations.ts'
import type { OwnMachine } from '../api/queries.ts'
import { capitalized, duration, weekday, wholePercent } from '../format.ts'

type Waiting = NonNullable<NonNullable<OwnMachine['figures']>['waiting']>

/** The idle time of a machine beside the waits of such machines at its price, and the day until which it is normal. */
export const waitingWords = ({ idle_hours, longer, rare_hours, rare_at }: Waiting): string =>
  idle_hours < rare_hours
    ? `normal at its price until ${weekday(rare_at)}: ${wholePercent(longer)} of such machines wait longer, 1 in 20 longer than ${duration(hour * rare_hours)}`
    : `not normal at its price since ${weekday(rare_at)}: only 1 in 20 such machines waits longer than ${duration(hour * rare_hours)}`

export const waitingSentence = (waiting: Waiting): string => `${capitalized(waitingWords(waiting))}.`
