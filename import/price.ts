import { Rejected, textOf } from './observation.ts'

const decimal = /^\+?(\d{0,12})(?:\.(\d{0,40}))?(?:[eE]([-+]?\d{1,2}))?$/
const billion = 1_000_000_000n
/** USD per GPU-hour. The dearest GPU in the public data is below 100; this is a slip of the unit. */
const absurd = 100_000n

/**
 * A price in USD divided among `gpus`, rounded half up to 9 decimals. Exact arithmetic on the digits as they were written: 4.4233 / 8
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
