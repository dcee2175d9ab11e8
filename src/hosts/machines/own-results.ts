import { day, hour } from '../../../contract/durations.ts'
import type { OwnFigures } from '../../../contract/machines.ts'
import { earnedWords } from '../../../contract/money.ts'
import { type BetaShare, quantileOf } from '../../../estimates/beta.ts'
import { type Estimate, occupancyOf } from '../../../estimates/fill-rate.ts'

/** Totals of a machine since its price last changed. */
export interface SinceChange {
  /** The first slot with its price. */
  since: number
  slots: number
  all_gpus: number
  rented_gpus: number
  value: number
  /** The rented share of its GPUs at the first slot. */
  rented_share: number
}

/** Rental rates of such a machine at its price. */
export interface Renting extends Pick<OwnFigures, 'fill_rate' | 'return_rate' | 'gpus_at_once'> {
  price: number | null
  num_gpus: number
}

type Results = OwnFigures['since_change']

/**
 * The income of one machine at its price, beside the expected income of such a machine in that time. `expected` has the interval
 * for a single machine, which is far wider than the interval of a mean of many. `interval`: seconds of a slot. Null: it was not
 * on the market at its price.
 */
export function resultsOf(seen: SinceChange | undefined, interval: number, renting: Renting): Results {
  if (!seen) return null
  const seconds = seen.slots * interval
  const base = {
    since: seen.since,
    covered_seconds: seconds,
    occupancy: seen.rented_gpus / seen.all_gpus,
    earned: (seen.value * interval) / hour,
  }
  const usual = usualOf(renting)
  const unknown = { ...base, expected: null, standing: 'unknown' as const }
  if (!usual || renting.price === null)
    return { ...unknown, reason: 'What to expect at this price is not known.' }
  if (seconds < day) return { ...unknown, reason: 'It was seen at this price for less than a day.' }
  const share = sharesOf(usual, { hours: seconds / hour, begin: seen.rented_share })
  const full = (renting.price * seen.all_gpus * interval) / hour
  // Rounded outward: otherwise a share that is nearly 0 or 1 would claim a machine that was idle or full all the time.
  const expected = {
    value: full * share.mean,
    low: (full * Math.floor(100 * quantileOf(share, 0.025))) / 100,
    high: (full * Math.ceil(100 * quantileOf(share, 0.975))) / 100,
  }
  const standing = base.earned < expected.low ? 'below' : base.earned > expected.high ? 'above' : 'within'
  return { ...base, expected, standing, reason: reasonOf(standing, expected) }
}

function reasonOf(standing: 'below' | 'above' | 'within', { low, high }: Estimate): string {
  const usual = `Similar machines usually earn ${earnedWords(low)} to ${earnedWords(high)} in this time.`
  if (standing === 'below')
    return `${usual} This one earned less: check its reliability, disk, network and verification.`
  return standing === 'above'
    ? `${usual} This one earned more: it may be worth more than others like it.`
    : usual
}

/** The rental rates of a machine, and the number of groups that its GPUs are rented in. */
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
 * The rented share of one machine's GPUs over a time. They are rented and returned in groups, each of which is either rented or
 * not: a renewal process with two states. Mean and variance hold for a machine that begins with the given rented share. The
 * uncertainty of the rates adds to the variance.
 */
export function sharesOf(
  { fill, back, groups }: Usual,
  { hours, begin }: { hours: number; begin: number },
): BetaShare {
  const occupancy = occupancyOf(fill, back)
  if (!occupancy || hours <= 0) return { mean: begin, variance: 0 }
  const pace = fill.value + back.value
  const usual = occupancy.value
  // Share of the time spent on the way from the initial to the stationary share.
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
