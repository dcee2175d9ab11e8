import { hour } from '../../contract/durations.ts'
import type { Estimate } from '../fill-rate.ts'

/** The usual time until a free machine gets its next rental. */
export interface Wait {
  /** Hours within which half of such machines are rented. */
  hours: number
  /** Hours within which four of five such machines are rented. */
  long_hours: number
  /** Chances of a rental within some days. */
  chances: { days: number; chance: number }[]
}

/** The wait of a machine that is idle now, beside the waits of such machines at its price. */
export interface Waiting {
  idle_hours: number
  /** The share of such machines that wait longer than that. */
  longer: number
  /** One of 20 waits longer than this. */
  rare_hours: number
  /** Unix seconds: when the machine will have waited that long. */
  rare_at: number
}

/**
 * Compares the idle time of a machine with a wait. The logarithm of the share that waits is drawn straight between the times at which half and four of five
 * are rented, and goes on so.
 */
export function waitingOf(
  { hours, long_hours }: Pick<Wait, 'hours' | 'long_hours'>,
  { since, now }: { since: number; now: number },
): Waiting {
  const slope = Math.log(0.5 / 0.2) / Math.max(1e-9, long_hours - hours)
  const idle = Math.max(0, now - since) / hour
  const rare = hours + Math.log(0.5 / 0.05) / slope
  const longer = idle <= hours ? 0.5 ** (idle / hours) : 0.5 * Math.exp(-slope * (idle - hours))
  return { idle_hours: idle, longer, rare_hours: rare, rare_at: since + Math.round(hour * rare) }
}

/** A price that is asked for some days to find out more. */
export interface Trial {
  days: number
  /** USD that it costs at most, at the lower end of its gain. */
  cost: number
}

const days = [1, 3, 7]
/** A trial shows little in less than a day, and the market has moved after a week. */
const [shortest, longest] = [1, 7]

/**
 * The wait of a machine from draws of the rentals per GPU-hour. `atOnce`: GPUs of such a rig that are rented together, so a rig with many
 * GPUs gets fewer contracts than its GPUs would alone.
 */
export function waitOf(fill: Float64Array, { gpus, atOnce }: { gpus: number; atOnce: number }): Wait {
  const contracts = fill.map((rate) => (rate * gpus) / atOnce)
  return {
    hours: timeUntil(0.5, contracts),
    long_hours: timeUntil(0.8, contracts),
    chances: days.map((one) => ({ days: one, chance: 1 - waitingAfter(24 * one, contracts).share })),
  }
}

/** The share of machines that still wait after some hours, and the share that is rented in an hour then. */
function waitingAfter(hours: number, contracts: Float64Array): { share: number; leaving: number } {
  let [share, leaving] = [0, 0]
  for (const rate of contracts) {
    const waits = Math.exp(-rate * hours)
    share += waits
    leaving += rate * waits
  }
  return { share: share / contracts.length, leaving: leaving / contracts.length }
}

/** A trial lasts until four of five such machines are rented. */
export function trialOf({ long_hours }: Wait, gain: Estimate | null): Trial {
  const days = Math.min(longest, Math.max(shortest, Math.ceil(long_hours / 24)))
  return { days, cost: Math.max(0, -days * (gain?.low ?? 0)) }
}

/** The longest time that is looked for, in hours. */
const mostHours = 1e5

/** The time until a share of machines is rented. The logarithm of the others is convex, so Newton's method comes from below. */
function timeUntil(share: number, contracts: Float64Array): number {
  let hours = 0
  for (let round = 0; round < 30; round += 1) {
    const waiting = waitingAfter(hours, contracts)
    const move = (Math.log(waiting.share / (1 - share)) * waiting.share) / waiting.leaving
    if (!(hours + move < mostHours)) return mostHours
    hours += move
    if (move <= 1e-6 * hours) break
  }
  return hours
}
