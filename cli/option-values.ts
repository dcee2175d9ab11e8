import { InvalidArgumentError } from 'commander'
import { hour } from '../contract/durations.ts'
import { systemClock } from './system-clock.ts'

/** Unix seconds. */
export function seconds(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a time in unix seconds.')
  return Number(text)
}

const secondsOfUnit: Record<string, number> = { s: 1, m: 60, h: hour }

/** A duration in seconds: `90s`, `10m` or `2h`. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOfUnit[unit] ?? 0)
  if (!(seconds > 0)) throw new InvalidArgumentError('It must be a duration, such as 90s, 10m or 2h.')
  return seconds
}

/** A time in the future: `2030-01-31`, `2030-01-31T12:00:00Z`, or from now: `30d`, `12h`. */
export function expiry(text: string): Date {
  const now = systemClock.now() * 1000
  const span = /^(\d{1,5})([dh])$/.exec(text)
  const time = span ? now + Number(span[1]) * (span[2] === 'd' ? 86_400_000 : 3_600_000) : Date.parse(text)
  if (!(time > now))
    throw new InvalidArgumentError('It must be a time in the future, such as 2030-01-31, 30d or 12h.')
  return new Date(time)
}

/** `name=value`; an option that can be repeated. */
export function parameter(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('It must be name=value.')
  return { ...before, [name]: value }
}

/** Ids, for an option with several values. */
export function ids(text: string, before: number[] = []): number[] {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a list of ids.')
  return [...before, Number(text)]
}

/** Ids of machines or hosts of a source, which may be larger than other ids. */
export function machineIds(text: string, before: number[] = []): number[] {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  if (id < 1 || !Number.isSafeInteger(id)) throw new InvalidArgumentError('It must be a list of ids.')
  return [...before, id]
}
