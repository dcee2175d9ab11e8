import { z } from 'zod'

/** A row that can't be imported; the message is the reason in the report. */
export class Rejected extends Error {}

/** A record of a file: text by column name, or what JSON has there. */
export type Fields = Readonly<Record<string, unknown>>

/** What a format makes of a record. Prices are USD per GPU-hour as decimal text with at most 9 decimals. */
export interface Observation {
  slot: number
  machine_id: number
  gpu_name: string
  num_gpus: number
  gpus: number
  rented: boolean
  verified: boolean
  hosting_type: 'unknown' | 'community' | 'secure_cloud'
  price: string
  tflops: number | null
  dlperf: number | null
}

const gpuName = /^[\p{L}\p{N}]([\p{L}\p{N} ./+()-]*[\p{L}\p{N}.)+])?$/u
const int = (name: string, least: number, most: number) =>
  z
    .number({ error: `${name} is not a number` })
    .int({ error: `${name} is not a whole number` })
    .min(least, { error: `${name} is below ${least}` })
    .max(most, { error: `${name} is above ${most}` })

const bounds = z.object({
  slot: int('slot', 1, 4_102_444_800),
  machine_id: int('machine_id', 0, Number.MAX_SAFE_INTEGER),
  gpu_name: z
    .string()
    .max(64, { error: 'gpu_name is longer than 64 characters' })
    .regex(gpuName, { error: 'gpu_name is not a name' }),
  num_gpus: int('num_gpus', 1, 1024),
  gpus: int('gpus', 1, 1024),
})

/** Throws Rejected unless the series can hold the observation. `now` in unix seconds. */
export function checkObservation(observation: Observation, now: number): void {
  const parsed = bounds.safeParse(observation)
  if (!parsed.success) throw new Rejected(parsed.error.issues[0]?.message ?? 'not an observation')
  if (observation.slot > now + 86_400) throw new Rejected('slot is in the future')
  if (observation.gpus > observation.num_gpus) throw new Rejected('more gpus than num_gpus')
}

export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name]
  if (value === undefined || value === null || value === '') throw new Rejected(`${name} is missing`)
  return String(value).trim()
}

export const numberOf = (fields: Fields, name: string): number => {
  const text = textOf(fields, name)
  const number = Number(text)
  if (!/^[-+]?[\d.]/.test(text) || !Number.isFinite(number))
    throw new Rejected(`${name} is not a number: ${text.slice(0, 40)}`)
  return number
}

/** Unix seconds, or an ISO 8601 time (UTC unless it says otherwise). */
export const timeOf = (fields: Fields, name: string): number => {
  const text = textOf(fields, name)
  if (/^\d+(\.\d+)?$/.test(text)) return Math.floor(Number(text))
  const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  const time = iso ? Date.parse(iso[1] && !iso[4] ? `${text}Z` : text) : Number.NaN
  if (Number.isNaN(time)) throw new Rejected(`${name} is not a time: ${text.slice(0, 40)}`)
  return Math.floor(time / 1000)
}

export const nameOf = (fields: Fields, name: string): string =>
  textOf(fields, name).replaceAll('_', ' ').replace(/\s+/g, ' ').trim()

const decimal = /^(\d{1,12})(?:\.(\d{1,40}))?(?:[eE]([-+]?\d{1,2}))?$/
const billion = 1_000_000_000n

/**
 * The price in `name` divided among `gpus`, rounded half up to 9 decimals. Exact arithmetic on the digits as they were written:
 * 4.4233 / 8 is 0.5529125, not 0.5529124999.
 */
export function pricePerGpu(fields: Fields, name: string, gpus: number): string {
  const text = textOf(fields, name)
  const [, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? []
  if (!whole) throw new Rejected(`${name} is not a price: ${text.slice(0, 40)}`)
  // numerator / denominator = the price in billionths of a dollar
  const shift = Number(exponent) - fraction.length + 9
  const digits = BigInt(whole + fraction)
  const numerator = shift >= 0 ? digits * 10n ** BigInt(shift) : digits
  const denominator = (shift >= 0 ? 1n : 10n ** BigInt(-shift)) * BigInt(gpus)
  const nano = (2n * numerator + denominator) / (2n * denominator)
  if (nano <= 0n) throw new Rejected(`${name} is not above zero`)
  if (nano >= 100_000n * billion) throw new Rejected(`${name} is absurd: ${text.slice(0, 40)}`)
  return `${nano / billion}.${String(nano % billion).padStart(9, '0')}`
}
