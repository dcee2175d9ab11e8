import { mean } from 'simple-statistics'
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
export function waitOf(fill: readonly number[], { gpus, atOnce }: { gpus: number; atOnce: number }): Wait {
  const chanceWithin = (hours: number) =>
    1 - mean(fill.map((rate) => Math.exp((-rate * gpus * hours) / atOnce)))
  return {
    hours: timeUntil(0.5, chanceWithin),
    long_hours: timeUntil(0.8, chanceWithin),
    chances: days.map((one) => ({ days: one, chance: chanceWithin(24 * one) })),
  }
}

/** A trial lasts until four of five such machines are rented. */
export function trialOf({ long_hours }: Wait, gain: Estimate | null): Trial {
  const days = Math.min(longest, Math.max(shortest, Math.ceil(long_hours / 24)))
  return { days, cost: Math.max(0, -days * (gain?.low ?? 0)) }
}

/** The longest time that is looked for, in hours. */
const mostHours = 1e5

/** The time at which a rising chance reaches a share, by bisection. */
function timeUntil(share: number, chanceWithin: (hours: number) => number): number {
  let [low, high] = [0, 1]
  while (chanceWithin(high) < share && high < mostHours) high *= 2
  for (let round = 0; round < 20; round += 1) {
    const middle = (low + high) / 2
    if (chanceWithin(middle) < share) low = middle
    else high = middle
  }
  return high
}
