import { day } from '../../../contract/durations.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { earnedWords } from '../../../contract/money.ts'
import { type Estimate, occupancyOf } from '../../../estimates/fill-rate.ts'
import { type BetaShare, quantileOf } from './beta.ts'

/** What a machine was since its price changed last. */
export interface SinceChange {
  /** The slot in which its price was first seen. */
  since: number
  slots: number
  all_gpus: number
  rented_gpus: number
  value: number
  /** Of its GPUs, at the first slot. */
  rented_share: number
}

/** How such a machine is rented at its price. */
export interface Renting extends Pick<OwnFigures, 'fill_rate' | 'return_rate' | 'gpus_at_once'> {
  price: number | null
  num_gpus: number
}

type Results = OwnFigures['since_change']

/**
 * What one machine earned at its price, beside what such a machine earns in that time: `expected` has the interval of one machine, which is
 * far wider than that of the mean of many. `interval`: seconds of a slot. Null: it was not seen at its price.
 */
export function resultsOf(seen: SinceChange | undefined, interval: number, renting: Renting): Results {
  if (!seen) return null
  const seconds = seen.slots * interval
  const base = {
    since: seen.since,
    covered_seconds: seconds,
    occupancy: seen.rented_gpus / seen.all_gpus,
    earned: (seen.value * interval) / 3600,
  }
  const usual = usualOf(renting)
  const unknown = { ...base, expected: null, standing: 'unknown' as const }
  if (!usual || renting.price === null)
    return { ...unknown, reason: 'What to expect at this price is not known.' }
  if (seconds < day) return { ...unknown, reason: 'It was seen at this price for less than a day.' }
  const share = sharesOf(usual, { hours: seconds / 3600, begin: seen.rented_share })
  const full = (renting.price * seen.all_gpus * interval) / 3600
  // Rounded outward: a share that is never quite 0 or 1 has a machine that was idle or full all the time.
  const expected = {
    value: full * share.mean,
    low: (full * Math.floor(100 * quantileOf(share, 0.025))) / 100,
    high: (full * Math.ceil(100 * quantileOf(share, 0.975))) / 100,
  }
  const standing = base.earned < expected.low ? 'below' : base.earned > expected.high ? 'above' : 'within'
  return { ...base, expected, standing, reason: reasonOf(standing, expected) }
}

function reasonOf(standing: 'below' | 'above' | 'within', { low, high }: Estimate): string {
  const usual = `19 of 20 such machines earn ${earnedWords(low)} to ${earnedWords(high)} in this time.`
  if (standing === 'below')
    return `${usual} This one earned less: check its reliability, disk, network and verification.`
  return standing === 'above'
    ? `${usual} This one earned more: it may be worth more than others like it.`
    : usual
}

/** How a machine is rented, and in how many groups its GPUs go. */
interface Usual {
  fill: Estimate
  back: Estimate
  groups: number
}

const usualOf = ({ fill_rate, return_rate, gpus_at_once, num_gpus }: Renting): Usual | null =>
  fill_rate && return_rate && gpus_at_once
    ? { fill: fill_rate, back: return_rate, groups: Math.max(1, num_gpus / gpus_at_once) }
    : null

const parts = 64

/**
 * The share of a time that the GPUs of one machine are rented. They are rented and come back in groups, each of which is either rented or
 * not: a process of renewals with two states. Its mean and its variance hold for a machine that begins with a share rented; the uncertainty
 * of the rates adds to the variance.
 */
export function sharesOf(
  { fill, back, groups }: Usual,
  { hours, begin }: { hours: number; begin: number },
): BetaShare {
  const occupancy = occupancyOf(fill, back)
  if (!occupancy || hours <= 0) return { mean: begin, variance: 0 }
  const pace = fill.value + back.value
  const usual = occupancy.value
  // How much of the time is spent on the way from the begin to what is usual.
  const way = (1 - Math.exp(-pace * hours)) / (pace * hours)
  const mean = usual + (begin - usual) * way
  const part = hours / parts
  let covariance = 0
  for (let index = 0; index < parts; index += 1) {
    const at = (index + 0.5) * part
    const rented = usual + (begin - usual) * Math.exp(-pace * at)
    const later = (1 - usual) * (1 - Math.exp(-pace * (hours - at)))
    const known = (begin - usual) * (Math.exp(-pace * at) - Math.exp(-pace * hours))
    covariance += (rented * (later - known) * part) / pace
  }
  const ofMean = ((occupancy.high - occupancy.low) / (2 * 1.96)) * (1 - way)
  return { mean, variance: (2 * covariance) / hours ** 2 / groups + ofMean ** 2 }
}
