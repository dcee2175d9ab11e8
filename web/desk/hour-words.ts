import type { GpuRentalHours } from '../../contract/rental-hours.ts'
import { day, nothing } from '../format.ts'

type Pattern = NonNullable<GpuRentalHours['pattern']>
type Ratio = Pattern['weekend']

const minutesOfDay = 24 * 60

/** Minutes after midnight on the wall clock at an hour of the day in UTC. */
export const onClock = (hourOfDay: number, ahead: number): number =>
  (((hourOfDay * 60 + ahead) % minutesOfDay) + minutesOfDay) % minutesOfDay

/** A time of the day: 14:00. */
export const timeWords = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => `${part}`.padStart(2, '0')).join(':')

export const ratioWords = (ratio: number | undefined): string =>
  ratio === undefined ? nothing : ratio.toFixed(2)

/** A ratio and its interval, around what it is compared with. */
const timesWords = ({ value, low, high }: Ratio, compared = ''): string =>
  `${ratioWords(value)} times as often${compared} (${ratioWords(low)} to ${ratioWords(high)})`

/** True if the interval leaves out 1. */
const isClear = ({ low, high }: Ratio): boolean => low > 1 || high < 1

/** Sentences about the busiest and the quietest hours, and about weekends. */
export function patternSentences(name: string, pattern: Pattern, ahead: number): string[] {
  const span = ({ from, to }: Pattern['busiest']) =>
    `${timeWords(onClock(from, ahead))} to ${timeWords(onClock(to, ahead))}${ahead === 0 ? ' UTC' : ''}`
  const hours = [pattern.busiest, pattern.quietest]
    .filter(isClear)
    .map((of, index) =>
      index === 0
        ? `From ${span(of)} renters of ${name} come ${timesWords(of, ' as on average')}.`
        : `From ${span(of)} they come ${timesWords(of)}.`,
    )
  return [
    ...hours,
    isClear(pattern.weekend)
      ? `At weekends they come ${timesWords(pattern.weekend, ' as on other days')}.`
      : 'Weekends do not differ clearly from other days.',
  ]
}

/** The reason why there is no pattern. */
export function noPatternSentence({ reason, rentals, from, to }: GpuRentalHours): string {
  if (reason === 'no_rentals_known') return 'The source does not say which GPUs are rented.'
  if (reason === 'short_range')
    return 'Hours of the week need 14 days of snapshots, with free GPUs at each hour.'
  if (reason === 'rare_sights') return 'Machines are seen too rarely to compare hours.'
  if (reason === 'no_pattern_found')
    return `No hours stand out: ${rentals} rentals from ${day(from)} to ${day(to - 1)} differ by hour no more than by chance.`
  return 'Too few rentals to compare hours.'
}
