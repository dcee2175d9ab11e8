import { earnedWords, exactly, fixed, money, significant } from '../contract/money.ts'

/** Created on first use, since creating a format takes milliseconds. */
function lazily<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}
export const numbers = (options: Intl.NumberFormatOptions) =>
  lazily(() => new Intl.NumberFormat('en-US', options))
const times = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat('en-GB', options))

// Intl is not used for numbers and times: its first use takes a browser 25 to 60 ms, before the first figures are visible.
const cents = money(2)
const tenths = money(3)
const smallest = exactly(2)
const fields = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const

/** The time zone of written times: the visitor's, or UTC. */
export type Zone = 'local' | 'utc'

const stretches = { local: times(fields), utc: times({ ...fields, timeZone: 'UTC' }) }

/** The text for a missing figure. */
export const nothing = '–'

/** A format for figures of a kind. null: there is no figure. */
export const written =
  (format: (value: number) => string) =>
  (value: number | null | undefined): string =>
    value === null || value === undefined || Number.isNaN(value) ? nothing : format(value)

/** USD. Amounts below a dollar have tenths of a cent, below a cent two digits. */
export const price = written((value) =>
  (value < 0.01 && value > 0 ? smallest : value < 1 ? tenths : cents)(value),
)
/** A number as it is typed and copied: without an exponent and without rounding noise. */
export const plain = (price: number): string =>
  price
    .toFixed(9)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
/** USD on an axis with ticks this far apart: with enough decimals to distinguish them. */
export function priceTick(value: number, apart: number): string {
  const [mantissa = '', exponent] = Number(apart.toPrecision(2)).toExponential().split('e')
  const decimals = Math.max(0, mantissa.length - 2) - Number(exponent)
  return money(apart >= 100 ? 0 : Math.min(9, Math.max(2, decimals)))(value)
}
/** Earned USD. Amounts below a hundred have cents. */
export const earned = written(earnedWords)
export const count = written((value) => fixed(value, 0))
/** A number of things: 1 machine, 2,000 machines. */
export const counted = (number: number, thing: string): string =>
  `${count(number)} ${thing}${count(number) === '1' ? '' : 's'}`
/** A count on an axis, which may have ticks between whole numbers. */
export const countTick = (value: number): string => (Number.isInteger(value) ? count(value) : '')
/** A number with one decimal. */
export const oneDecimal = written((value) => value.toFixed(1))
export const figure = written((value) => significant(value, 4))
/** Any figure: whole numbers as they are, others with six digits. */
export const anyFigure = written((value) =>
  Number.isInteger(value) ? fixed(value, 0) : significant(value, 6),
)
/** The sign after a figure, which stays on its line. */
const percentSign = '\u00a0%'
/** A share of 1 on an axis. */
export const percentTick = (value: number): string => `${Math.round(value * 1000) / 10}${percentSign}`
/** A share of 1 where there is little room. */
export const wholePercent = written((value) => `${Math.round(value * 100)}${percentSign}`)
/** A share of 1 as a percentage. Always with one decimal, so that columns are aligned. */
export const percent = written((value) => `${fixed(value * 100, 1).replace('-', '−')}${percentSign}`)
/** The same with its sign, except for zero. */
export const change = written((value) => {
  const text = percent(Math.abs(value))
  return Number.parseFloat(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
})

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The name of a date's month, by its fields in UTC. */
export const monthOf = (date: Date): string => months[date.getUTCMonth()] ?? ''

/** Minutes by which the wall clock is ahead of UTC at a moment, in unix seconds. */
export const minutesAhead = (at: number, zone: Zone): number =>
  zone === 'utc' ? 0 : -new Date(at * 1000).getTimezoneOffset()

/** Unix seconds as a date and a time, with the zone. */
export function dateTime(seconds: number, zone: Zone = 'local'): string {
  const ahead = minutesAhead(seconds, zone)
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  const offset = ahead === 0 ? '' : `${ahead < 0 ? '-' : '+'}${hours}${minutes ? `:${padded(minutes)}` : ''}`
  const there = seconds + ahead * 60
  return `${day(there)}, ${new Date(there * 1000).toISOString().slice(11, 16)} UTC${offset}`
}
const padded = (part: number): string => `${part}`.padStart(2, '0')

/** Unix seconds as a time of the day, local. */
export function clock(seconds: number): string {
  const time = new Date(seconds * 1000)
  return [time.getHours(), time.getMinutes()].map(padded).join(':')
}
/** A range of times, without the zone. */
export const stretch = (from: number, to: number, zone: Zone): string =>
  stretches[zone]().formatRange(from * 1000, to * 1000)
/** A day in UTC, given by its start or any other moment. */
export const day = (seconds: number): string =>
  `${dayAndMonth(seconds)} ${new Date(seconds * 1000).getUTCFullYear()}`

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Unix seconds as a day of the week with its date, local: Friday 27 Nov. */
export function weekday(seconds: number): string {
  const date = new Date(seconds * 1000)
  return `${weekdays[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]}`
}

/** A day in UTC without its year: 27 Nov. */
export function dayAndMonth(seconds: number): string {
  const date = new Date(seconds * 1000)
  return `${date.getUTCDate()} ${monthOf(date)}`
}
/** A day in UTC with its name: Friday 27 Nov. */
export const dayOfWeek = (seconds: number): string =>
  `${weekdays[new Date(seconds * 1000).getUTCDay()]} ${dayAndMonth(seconds)}`

/** The words with a capital at their beginning. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Ends a text with exactly one full stop. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** A length of time, in its largest unit. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
