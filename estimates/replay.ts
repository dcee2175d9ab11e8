import { mean, quantileSorted } from 'simple-statistics'
import type { Estimate } from './fill-rate.ts'
import { normal } from './normal.ts'

/** Facts about an hour that were known at its beginning. */
export interface ReplayHour {
  /** False: nothing of the machine could be rented. */
  online: boolean
  /** The rental rate at a price, from the hour's book and the rates known at that time; null: unknown. */
  fillAt(price: number): Estimate | null
  /** The return rate of rented GPUs. */
  back: Estimate
}

/** A pricing rule: the price in an hour, after `idle` hours without a rental. */
export type PriceRule = (hour: number, idle: number) => number

export interface Replayed {
  gpus: number
  /** Mean number of GPUs rented together. */
  atOnce: number
  /** Rentals at the beginning. */
  begin: readonly { gpus: number; price: number }[]
  hours: readonly ReplayHour[]
  rule: PriceRule
  /** Net USD of income and rented GPU-hours; without it the net result is null. */
  net?: ((earned: number, rentedHours: number) => number) | undefined
  /** Random numbers in [0, 1); the same sequence gives the same result. */
  random: () => number
}

/** The simulated result: the mean of the draws, and the interval that contains 80 % of them. */
export interface Replay {
  /** USD. */
  earned: Estimate
  /** The nine deciles of the draws. */
  deciles: number[]
  /** USD after costs. */
  net: Estimate | null
  /** The share of GPU-hours that were rented. */
  occupancy: Estimate
  /** Income of the worst whole day, USD; null: there is no whole day. */
  worst_day: Estimate | null
  /** Days without a rental, counted by the hour. */
  idle_days: Estimate
}

const enoughDraws = 400
/**
 * Standard deviations (of the logarithm) between a rate and each end of its 95 % interval. A normal interval has 1.96. Byar's interval,
 * which covers at least 95 %, has some 2.1 standard deviations of Jeffreys' posterior at 10 to 20 events.
 */
const deviations = 2.1

/**
 * Simulates a machine's income under other prices. Each draw goes through the hours: GPUs are rented in groups, at the rate of the price in
 * the hour's book, keep their rental price, and return at the return rate of that time. The uncertainty of the rates is drawn as well, once
 * for all hours. Null: the rate at the price is unknown in some hour.
 */
export function replay(of: Replayed): Replay | null {
  const draws = openReplay(of)
  return draws.add(draws.wanted) ? draws.result() : null
}

/** Does the same in parts, since all draws together may take some tenths of a second. */
export function openReplay(of: Replayed) {
  const known = of.hours.map(() => new Map<number, Estimate | null>())
  const fillAt = (hour: number, price: number) => {
    const found = known[hour]?.get(price) ?? of.hours[hour]?.fillAt(price) ?? null
    known[hour]?.set(price, found)
    return found
  }
  const found: Draw[] = []
  return {
    wanted: enoughDraws,
    /** Adds `count` draws; false: the rate at the price is unknown in some hour. */
    add(count: number): boolean {
      for (let index = 0; index < count; index += 1) {
        const draw = drawOnce(of, fillAt)
        if (!draw) return false
        found.push(draw)
      }
      return true
    },
    result: () => summaryOf(found, of),
  }
}

function summaryOf(draws: readonly Draw[], { gpus, hours, net }: Replayed): Replay {
  const sorted = draws.map(({ earned }) => earned).toSorted((a, b) => a - b)
  const days = draws.map(({ worst }) => worst).filter((worst) => worst !== null)
  return {
    earned: spread(sorted),
    deciles: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => quantileSorted(sorted, tenth / 10)),
    net: net ? spread(draws.map(({ earned, rentedHours }) => net(earned, rentedHours))) : null,
    occupancy: spread(draws.map(({ rentedHours }) => rentedHours / (gpus * hours.length))),
    worst_day: days.length > 0 ? spread(days) : null,
    idle_days: spread(draws.map(({ idleHours }) => idleHours / 24)),
  }
}

interface Draw {
  earned: number
  /** GPU-hours. */
  rentedHours: number
  worst: number | null
  idleHours: number
}

interface Group {
  gpus: number
  /** The rental price; null: the group is free. */
  price: number | null
}

function drawOnce(
  { gpus, atOnce, begin, hours, rule, random }: Replayed,
  fillAt: (hour: number, price: number) => Estimate | null,
): Draw | null {
  const groups = groupsOf({ gpus, atOnce, begin }, random)
  const [luckOfFill, luckOfBack] = [normal(random), normal(random)]
  let [idle, idleHours, rentedHours] = [0, 0, 0]
  const earned: number[] = []
  for (const [hour, { online, back }] of hours.entries()) {
    const price = rule(hour, idle)
    const fill = fillAt(hour, price)
    if (!fill) return null
    const rates = { rent: online ? drawn(fill, luckOfFill) : 0, end: drawn(back, luckOfBack) }
    let income = 0
    for (const group of groups) {
      const one = earnedInHour(group, { ...rates, price, random })
      income += group.gpus * one.earned
      rentedHours += group.gpus * one.rented
    }
    const isIdle = groups.every((group) => group.price === null)
    idle = isIdle ? idle + 1 : 0
    idleHours += isIdle ? 1 : 0
    earned.push(income)
  }
  return { earned: sum(earned), rentedHours, worst: worstDay(earned), idleHours }
}

/** Income of the worst whole day; null: there is no whole day. */
export function worstDay(earned: readonly number[]): number | null {
  const days = Array.from({ length: Math.floor(earned.length / 24) }, (_, day) =>
    sum(earned.slice(24 * day, 24 * day + 24)),
  )
  return days.length > 0 ? Math.min(...days) : null
}

/** A GPU's income in an hour, in which it may be rented and return several times, and the rented share of the hour. */
function earnedInHour(
  group: Group,
  { rent, end, price, random }: { rent: number; end: number; price: number; random: () => number },
) {
  let [time, earned, rented] = [0, 0, 0]
  while (time < 1) {
    const paid = group.price
    const rate = paid === null ? rent : end
    const next = rate > 0 ? time - Math.log(1 - random()) / rate : 1
    const passed = Math.min(1, next) - time
    if (paid !== null) {
      earned += passed * paid
      rented += passed
    }
    if (next < 1) group.price = paid === null ? price : null
    time = next
  }
  return { earned, rented }
}

/** Rentals at the beginning keep their GPUs. The rest forms groups of `atOnce`; a fraction is rounded at random. */
function groupsOf(
  { gpus, atOnce, begin }: Pick<Replayed, 'gpus' | 'atOnce' | 'begin'>,
  random: () => number,
): Group[] {
  const free = gpus - sum(begin.map((rental) => rental.gpus))
  const count = Math.min(free, Math.max(1, Math.floor(free / atOnce + random())))
  const groups = Array.from({ length: count }, () => ({ gpus: free / count, price: null }))
  return [...begin.map((rental) => ({ ...rental })), ...groups]
}

/** A random true value of a rate: its logarithm is normally distributed with the width of the interval. */
const drawn = ({ value, low, high }: Estimate, luck: number): number =>
  value <= 0 ? 0 : value * (low > 0 ? (luck < 0 ? value / low : high / value) ** (luck / deviations) : 1)

function spread(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b)
  return { value: mean(sorted), low: quantileSorted(sorted, 0.1), high: quantileSorted(sorted, 0.9) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
