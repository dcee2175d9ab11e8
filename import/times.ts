import { Rejected, shown, textOf } from './observation.ts'

/** 2000-01-01. A smaller number is not a time in unix seconds: it is a date without dashes, or days of a spreadsheet. */
const firstNumber = 946_684_800
/** 2100-01-01. Times in milliseconds are after it. */
const lastSlot = 4_102_444_800

/**
 * Converts unix seconds, or a time as text, to unix seconds. Text is UTC unless it has an offset. A number in another unit is
 * refused and the unit named: nothing is guessed. Throws Rejected.
 */
export function slotOf(value: unknown, what: string): number {
  if (value instanceof Date) return inRange(Math.floor(value.getTime() / 1000), String(value), what)
  const text = textOf(value, what)
  if (/^[\d.]+(?:e\+?\d{1,2})?$/i.test(text)) return ofNumber(text, what)
  return inRange(secondsOf(text, what), text, what)
}

function inRange(slot: number, text: string, what: string): number {
  if (Number.isNaN(slot)) throw new Rejected(`${what} is not a time that exists: ${shown(text)}`)
  if (slot > lastSlot) throw new Rejected(`${what} is after 2100: ${shown(text)}`)
  if (slot <= 0) throw new Rejected(`${what} is before 1970: ${shown(text)}`)
  return slot
}

const units = [
  { factor: 1e3, name: 'milliseconds' },
  { factor: 1e6, name: 'microseconds' },
  { factor: 1e9, name: 'nanoseconds' },
]

function ofNumber(text: string, what: string): number {
  const refuse = (form: string) => new Rejected(`${what} is ${form}, not unix seconds: ${shown(text)}`)
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?$/.test(text))
    throw refuse('a date without dashes')
  const number = Number(text)
  if (Number.isNaN(number)) throw new Rejected(`${what} is not a number: ${shown(text)}`)
  if (number < 1) throw new Rejected(`${what} is before 1970: ${shown(text)}`)
  if (number < 100_000) throw refuse('a year, or days as a spreadsheet counts them')
  if (number < firstNumber) throw refuse('a number before 2000')
  if (number <= lastSlot) return Math.floor(number)
  const unit = units.find(({ factor }) => number / factor >= firstNumber && number / factor <= lastSlot)
  throw unit ? refuse(`in ${unit.name}`) : new Rejected(`${what} is after 2100: ${shown(text)}`)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const day = /(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/
const clock = /(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d+)?)?/
// `Z`, ` UTC`, `+00`, ` +0000 UTC`, `GMT+0200`, `+01:00[Europe/Paris]`: the offset counts, and without one it is UTC.
const zone =
  /(?:Z|UTC|GMT)?(?:(?<sign>[-+\u2212])(?<hours>\d\d)(?::?(?<minutes>[0-5]\d)(?::00)?)?)?(?: ?(?:UTC|GMT|Z))?/
const named = /(?:(?<=Z|UTC|GMT|[-+\u2212]\d\d(?::?\d\d)?)\[[\w+/-]+\])?/
const time = new RegExp(`^${day.source}(?:[T ] ?${clock.source} ?${zone.source}${named.source})?$`, 'i')

function secondsOf(text: string, what: string): number {
  const { groups } = time.exec(text) ?? time.exec(written(text)) ?? {}
  if (!groups) throw new Rejected(`${what} ${problemOf(text)}: ${shown(text)}`)
  const part = (name: string) => Number(groups[name] ?? 0)
  const [year, month, date] = [part('year'), part('month'), part('day')]
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  const isEnd = hour === 24 && minute === 0 && second === 0
  const isThere =
    month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (!isThere || (hour > 23 && !isEnd) || minute > 59 || second > 59) return Number.NaN
  const offset = (part('hours') * 60 + part('minutes')) * (groups.sign === '+' ? 60 : -60)
  return part('hours') > 23
    ? Number.NaN
    : Date.UTC(year, month - 1, date, hour, minute, second) / 1000 - offset
}

/**
 * Converts other notations with the year first or the month as a word: `20260202T000000Z`, `2026/02/02`, `Mon, 02 Feb 2026
 * 00:00:00 GMT`.
 */
function written(text: string): string {
  const mail = /^(?:[A-Z][a-z]{2}, ?)?(\d{1,2})[ -]([A-Z][a-z]{2})[ -](\d{4})(.*)$/.exec(text)
  if (mail) {
    const [, date = '', month = '', year = '', rest = ''] = mail
    return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${date.padStart(2, '0')}${rest}`
  }
  return text
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)(?=[T ]|$)/, '$1-$2-$3')
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?!:)/i, '$1-$2-$3T$4:$5:$6')
    .replace(/:(?=Z|[-+ ]|$)/i, ':00')
}

const forms: readonly [RegExp, string][] = [
  [/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/, 'is a date that does not begin with its year'],
  [/^\d{4}-?W\d\d/i, 'is a date with a week'],
  [/^\d{4}-?\d{3}(?!\d)/, 'is a date with a day of the year'],
  [/\d ?[ap]\.?m\.?\b/i, 'is a time of 12 hours'],
  [/\d ?\[/, 'has the name of a time zone without its offset'],
  [/\d ?[A-Z][A-Za-z]{1,4}$/, 'has a time zone that is neither UTC nor an offset'],
  [/\d ?[A-Z][A-Za-z]+\/[A-Za-z_]+$/, 'has the name of a time zone without its offset'],
  [/^-\d+$/, 'is before 1970'],
]

const problemOf = (text: string): string =>
  forms.find(([form]) => form.test(text))?.[1] ?? 'is neither unix seconds nor an ISO 8601 time'
