import { mean, quantileSorted } from 'simple-statistics'
import type { Estimate } from './fill-rate.ts'

/** What was known of an hour when it began. */
export interface ReplayHour {
  /** Whether the machine was online: else nothing of it could be rented. */
  online: boolean
  /** How fast GPUs were rented at a price, from the book of the hour and the rates that were known then; null: not known. */
  fillAt(price: number): Estimate | null
  /** How fast rented GPUs came back. */
  back: Estimate
}

/** What a host asks in an hour, where nothing of the machine has been rented for `idle` hours. */
export type PriceRule = (hour: number, idle: number) => number

export interface Replayed {
  gpus: number
  /** How many GPUs are rented at once. */
  atOnce: number
  /** Rentals at the begin. */
  begin: readonly { gpus: number; price: number }[]
  hours: readonly ReplayHour[]
  rule: PriceRule
  /** What income and rented GPU-hours leave after costs, USD. Without it nothing is said of that. */
  net?: ((earned: number, rentedHours: number) => number) | undefined
  /** Numbers in [0, 1): the same ones give the same answer. */
  random: () => number
}

/** What would have happened: the mean of the draws, and the interval that holds 80 % of them. */
export interface Replay {
  /** USD. */
  earned: Estimate
  /** The draws in order: what a tenth of them earned at most, two tenths, … nine tenths. */
  deciles: number[]
  /** USD after costs. */
  net: Estimate | null
  /** The share of its GPU-hours that were rented. */
  occupancy: Estimate
  /** What the worst whole day earned, USD; null: there is no whole day. */
  worst_day: Estimate | null
  /** Days in which nothing was rented, counted by the hour. */
  idle_days: Estimate
}

const enoughDraws = 400
/**
 * How many standard deviations of its logarithm the 95 % interval of a rate reaches on each side. A normal one reaches 1.96. Byar's, which
 * holds at least 95 %, reaches some 2.1 of those of Jeffreys' posterior where 10 to 20 events were counted.
 */
const deviations = 2.1

/**
 * What a machine would have earned under other prices. Each draw walks through the hours: its GPUs go in groups, which are rented at the
 * rate of the price in the book of the hour, keep the price at which they were rented, and come back at the rate at which such GPUs did.
 * How well the rates are known is drawn as well, once for all hours. Null: in some hour the rate at the price is not known.
 */
export function replay(of: Replayed): Replay | null {
  const draws = openReplay(of)
  return draws.add(draws.wanted) ? draws.result() : null
}

/** The same in parts, since all draws together may take some tenths of a second. */
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
    /** Draws so many more; false: in some hour the rate at the price is not known. */
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
  /** At which it is rented; null: it is free. */
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

/** What the worst whole day earned, of what each hour did; null: there is no whole day. */
export function worstDay(earned: readonly number[]): number | null {
  const days = Array.from({ length: Math.floor(earned.length / 24) }, (_, day) =>
    sum(earned.slice(24 * day, 24 * day + 24)),
  )
  return days.length > 0 ? Math.min(...days) : null
}

/** What each GPU of a group earns in an hour, in which it may be rented and come back several times, and how much of it it was rented. */
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

/** Rentals at the begin keep their GPUs. The others go in groups of `atOnce`: of a number that isn't whole, the part is drawn. */
function groupsOf(
  { gpus, atOnce, begin }: Pick<Replayed, 'gpus' | 'atOnce' | 'begin'>,
  random: () => number,
): Group[] {
  const free = gpus - sum(begin.map((rental) => rental.gpus))
  const count = Math.min(free, Math.max(1, Math.floor(free / atOnce + random())))
  const groups = Array.from({ length: count }, () => ({ gpus: free / count, price: null }))
  return [...begin.map((rental) => ({ ...rental })), ...groups]
}

/** A rate as it may really be: its logarithm is spread as the interval says. */
const drawn = ({ value, low, high }: Estimate, luck: number): number =>
  value <= 0 ? 0 : value * (low > 0 ? (luck < 0 ? value / low : high / value) ** (luck / deviations) : 1)

function spread(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b)
  return { value: mean(sorted), low: quantileSorted(sorted, 0.1), high: quantileSorted(sorted, 0.9) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
