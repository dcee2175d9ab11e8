import { createHash } from 'node:crypto'
import { gpuName, longestName, normalName } from '../contract/gpu-names.ts'
import type { HostingType } from '../contract/market-filter.ts'
import type { FormatOptions } from './format-names.ts'
import type { Fields } from './record.ts'

/** A row that cannot be imported. The message is the reason in the report. */
export class Rejected extends Error {}

/** A valid row that is no offer of a machine by the rules of its format. */
export class NotOffered extends Rejected {}

/** The tier of a machine. A machine that is not verified may be deverified, so without its word it is unknown. */
export type Tier = 'unknown' | 'verified' | 'unverified' | 'deverified'

/** The tier that a word for the verification of a machine means. `verified`: its value in the history. */
export const tierOf = (word: unknown, verified: boolean): Tier =>
  verified ? 'verified' : word === 'unverified' || word === 'deverified' ? word : 'unknown'

/** An observation in a file. Prices are USD per GPU-hour as decimal text with 9 decimals; tflops and dlperf are per GPU. */
export interface Observation {
  slot: number
  machine_id: number
  gpu_name: string
  num_gpus: number
  gpus: number
  rented: boolean
  verified: boolean
  hosting_type: 'unknown' | HostingType
  price: string
  tflops: number | null
  dlperf: number | null
  host_id: number | null
  /** ISO 3166 alpha-2; '' if unknown */
  country: string
  /** MB per GPU */
  gpu_ram: number | null
  rental_type: 'unknown' | 'on_demand' | 'reserved' | 'interruptible'
  min_gpus: number | null
  /** Terms of the listing (contract/terms-text.ts); '' if unknown */
  terms: string
  /** Specs of the machine (contract/specs-text.ts); '' if unknown */
  specs: string
  tier: Tier
}

/** An available machine that is offered as a whole, without further properties. */
export const available = (offer: {
  slot: number
  machine_id: number
  gpu_name: string
  gpus: number
  price: string
  hosting_type?: Observation['hosting_type']
  country?: string
  gpu_ram?: number | null
  rental_type?: Observation['rental_type']
  min_gpus?: number | null
}): Observation => ({
  // Written out, since an object spread takes 5 µs on Node 20: 9 s for the AWS history.
  slot: offer.slot,
  machine_id: offer.machine_id,
  gpu_name: offer.gpu_name,
  num_gpus: offer.gpus,
  gpus: offer.gpus,
  rented: false,
  verified: false,
  hosting_type: offer.hosting_type ?? 'unknown',
  price: offer.price,
  tflops: null,
  dlperf: null,
  host_id: null,
  country: offer.country ?? '',
  gpu_ram: offer.gpu_ram ?? null,
  rental_type: offer.rental_type ?? 'unknown',
  min_gpus: offer.min_gpus ?? null,
  terms: '',
  specs: '',
  tier: 'unknown',
})

// The functions below read a value of a record; `what` names it in the reason. They throw Rejected. zod would take 4 s for 1.8 million rows of five
// fields, a third of the time for reading them.

export const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'object' && value !== null) throw new Rejected(`${what} is not a plain value`)
  const text = isEmpty(value) ? '' : String(value).trim()
  if (text === '') throw new Rejected(`${what} is missing`)
  return text
}

export function numberOf(value: unknown, what: string): number {
  const text = textOf(value, what)
  const number = Number(text)
  if (!/^[-+.\d]/.test(text) || text.includes('x') || !Number.isFinite(number))
    throw new Rejected(`${what} is not a number: ${shown(text)}`)
  return number
}

const mostGpus = 1024

/** A number of GPUs: whole, 1 … 1,024. */
export function gpusOf(value: unknown, what: string): number {
  const number = numberOf(value, what)
  if (!Number.isInteger(number) || number < 1 || number > mostGpus)
    throw new Rejected(`${what} is not a number of GPUs from 1 to ${mostGpus}: ${number}`)
  return number
}

/** A measured figure; null if absent. Files write zero for "not measured". */
export function measureOf(value: unknown, what: string): number | null {
  if (isEmpty(value)) return null
  const number = numberOf(value, what)
  if (number < 0 || number > 1e9) throw new Rejected(`${what} is out of range: ${number}`)
  return number === 0 ? null : number
}

/** Memory in MB, per GPU; null if absent. */
export function ramOf(value: unknown, what: string): number | null {
  const ram = measureOf(value, what)
  return ram === null ? null : Math.round(ram)
}

/** A country's two letters, alone or after the last comma of a place; '' if there are none. 'California, US' is in the US. */
export const countryOf = (place: unknown): string =>
  (typeof place === 'string' && /(?:^|,\s*)([A-Z]{2})\s*$/.exec(place)?.[1]) || ''

export function gpuNameOf(value: unknown, what: string): string {
  const name = normalName(textOf(value, what))
  if ([...name].length > longestName) throw new Rejected(`${what} is longer than ${longestName} characters`)
  if (!gpuName.test(name)) throw new Rejected(`${what} is not the name of a GPU: ${shown(name)}`)
  return name
}

/**
 * The number of a machine. Any other text becomes a stable number of 52 bits. Two of 100,000 machines share one once in a million
 * files.
 */
export function machineIdOf(value: unknown, what: string): number {
  const text = textOf(value, what)
  return /^\d{1,15}$/.test(text) ? Number(text) : stableId(text)
}

export const stableId = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16)

const decimal = /^\+?(\d{0,12})(?:\.(\d{0,40}))?(?:[eE]([-+]?\d{1,2}))?$/
const billion = 1_000_000_000n
/** USD per GPU-hour. The most expensive GPU in the public data costs less than 100, so such a price has the wrong unit. */
const absurd = 100_000n

/**
 * A price in USD divided among `gpus`, rounded half up to 9 decimals. The arithmetic is exact on the digits as written: 4.4233 / 8
 * is 0.552912500. Throws Rejected.
 */
export function pricePerGpu(value: unknown, what: string, gpus: number): string {
  const text = textOf(value, what)
  const [, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? []
  if (whole + fraction === '') throw new Rejected(`${what} is not a price: ${text.slice(0, 40)}`)
  // numerator / denominator = the price in billionths of a dollar
  const shift = Number(exponent) - fraction.length + 9
  const digits = BigInt(whole + fraction)
  const numerator = shift >= 0 ? digits * 10n ** BigInt(shift) : digits
  const denominator = (shift >= 0 ? 1n : 10n ** BigInt(-shift)) * BigInt(gpus)
  const nano = (2n * numerator + denominator) / (2n * denominator)
  if (nano === 0n) throw new Rejected(`${what} is not above zero: ${text.slice(0, 40)}`)
  if (nano >= absurd * billion)
    throw new Rejected(`${what} is ${absurd} USD per GPU-hour or more: ${text.slice(0, 40)}`)
  return `${nano / billion}.${String(nano % billion).padStart(9, '0')}`
}

/** A format of files: maps their records to observations. */
export interface Format {
  /** Marks the observations' origin in the series. */
  source: string
  /** The options that the format was made of. */
  readWith: FormatOptions
  /** Required columns. */
  columns: readonly string[]
  /**
   * True if several offers of a machine at one time are for the same GPUs. Then the largest offer counts as the machine and the
   * others are duplicates. Otherwise each row has its own GPUs, unless state and price are also equal.
   */
  overlapping: boolean
  /** False: records have prices of available GPUs only, and do not say which GPUs are rented. */
  hasRentals: boolean
  /** Throws Rejected for a record that is not an observation. `leaveOut` receives why a part of one is not known. */
  observe(fields: Fields, leaveOut?: (reason: string) => void): Observation
}
