/** Made when it is first used: making a format takes milliseconds. */
function lazily<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}
const numbers = (options: Intl.NumberFormatOptions) => lazily(() => new Intl.NumberFormat('en-US', options))
const times = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat('en-GB', options))

const usd = { style: 'currency', currency: 'USD' } as const
const money = (digits: number) =>
  numbers({ ...usd, minimumFractionDigits: digits, maximumFractionDigits: digits })
const cents = money(2)
const tenths = money(3)
const smallest = numbers({ ...usd, maximumSignificantDigits: 2 })
const wholeDollars = money(0)
const whole = numbers({ maximumFractionDigits: 0 })
const short = numbers({ maximumSignificantDigits: 4 })
const compact = numbers({ notation: 'compact', maximumFractionDigits: 1 })
// One decimal always, so that figures below each other line up.
const tenthsOfPercent = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const percents = numbers(tenthsOfPercent)
const signedPercents = numbers({ ...tenthsOfPercent, signDisplay: 'exceptZero' })
const clocks = times({ hour: '2-digit', minute: '2-digit' })
const fields = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const
const zones = { local: {}, utc: { timeZone: 'UTC' } }
const days = times({ dateStyle: 'medium', timeZone: 'UTC' })

/** The time zone that times are written in: the visitor's, or UTC. */
export type Zone = keyof typeof zones

const inBoth = (options: Intl.DateTimeFormatOptions) => ({
  local: times({ ...options, ...zones.local }),
  utc: times({ ...options, ...zones.utc }),
})
const moments = inBoth({ ...fields, timeZoneName: 'short' })
const stretches = inBoth(fields)

/** Stands where there is no figure. */
export const nothing = '–'

/** How figures of a kind are written; null: there is none. */
const written =
  (format: (value: number) => string) =>
  (value: number | null | undefined): string =>
    value === null || value === undefined || Number.isNaN(value) ? nothing : format(value)

/** USD; below a dollar with tenths of a cent, below a cent with two digits. */
export const price = written((value) =>
  (value < 0.01 && value > 0 ? smallest : value < 1 ? tenths : cents)().format(value),
)
/** USD in a column: decimals line up. */
export const priceInColumn = written((value) => tenths().format(value))
/** On an axis whose ticks are so far apart. */
export const priceTick = (value: number, apart: number): string =>
  (apart < 0.01 ? tenths : cents)().format(value)
export const dollars = written((value) => wholeDollars().format(value))
/** USD that are earned; below a hundred with cents. */
export const earned = written((value) => (Math.abs(value) < 100 ? cents : wholeDollars)().format(value))
export const count = written((value) => whole().format(value))
/** With one decimal. */
export const tenth = written((value) => value.toFixed(1))
export const figure = written((value) => short().format(value))
/** 12.3K, 4.5M: for sizes where the last digit is of no interest. */
export const rough = written((value) => compact().format(value))
/** A share of 1 on an axis. */
export const percentTick = (value: number): string => `${Math.round(value * 1000) / 10}%`
/** A share of 1 where there is little room. */
export const wholePercent = written((value) => `${Math.round(value * 100)}%`)
/** Of a share of 1. */
export const percent = written((value) => percents().format(value))
export const change = written((value) => signedPercents().format(value))

export const bytes = written((value) => {
  const exponent = value < 1 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3))
  return `${short().format(value / 1000 ** exponent)} ${['B', 'kB', 'MB', 'GB', 'TB'][exponent]}`
})

/** Unix seconds as a date and a time, with the zone. */
export const moment = (seconds: number, zone: Zone = 'local'): string =>
  moments[zone]().format(seconds * 1000)
/** Unix seconds as a time of the day, local. */
export const clock = (seconds: number): string => clocks().format(seconds * 1000)
/** From one to another, without the zone. */
export const stretch = (from: number, to: number, zone: Zone): string =>
  stretches[zone]().formatRange(from * 1000, to * 1000)
/** A day in UTC, given by its start or any other moment. */
export const day = (seconds: number): string => days().format(seconds * 1000)

/** Ends with one full stop. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** A length of time, in its largest unit. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
