import { day, hour } from '../contract/durations.ts'
import { normal } from '../estimates/normal.ts'
import { catalog, type SimulatedGpu } from './gpu-types.ts'
import { pick, type Random, seeded } from './random.ts'

/** The rental type. `unknown`: the contract is from an earlier release, which did not record it. */
export type RentalType = 'on_demand' | 'reserved' | 'interruptible' | 'unknown'

export interface Rental {
  /** The rental's contract in PostgreSQL, once it exists. */
  contract?: number
  gpus: number[]
  /** USD per GPU-hour: the host's price when the rental began. */
  price: number
  /** Begin in unix seconds. Once the contract exists in PostgreSQL, it has the time. */
  since?: number
  type: RentalType
}

export interface SimulatedMachine {
  id: number
  type: SimulatedGpu
  numGpus: number
  verification: 'verified' | 'unverified' | 'deverified'
  secure: boolean
  /** The logarithm of the host's price relative to the market. */
  margin: number
  /** The logarithm of what renters pay more for it than for others and its host asks more, in measurements. */
  premium?: number
  /** The fewest GPUs that can be rented at once, in measurements; otherwise 1. */
  smallest?: number
  online: boolean
  /** The host's current price, USD per GPU-hour. */
  price: number
  rentals: Rental[]
  /** Number of GPUs that are not rented. */
  free: number
  /** Number of changes. Rows made from the machine can be reused until the next one. */
  version: number
}

/** Price levels relative to their long-run means, as logarithms: of the whole market, and of each GPU type. */
export interface Moods {
  mood: number
  moods: Record<string, number>
}

export interface SimulatedMarket<M extends SimulatedMachine = SimulatedMachine> extends Moods {
  machines: M[]
  /** Renters that choose in another way, in measurements. */
  renters?: Renters
  /** Demand at a time ÷ mean, in measurements; otherwise `usualRhythm`. */
  rhythm?: (at: number) => number
}

/** Renters, by the factor at which a machine is rented sooner than others, and its highest value. */
export interface Renters {
  appealOf(machine: SimulatedMachine, position: number): number
  most: number
}

// Drift of the price levels: return to the mean per day, volatility per square root of a day. Their standard deviations are 0.06 and 0.085.
const ofMarket = { pull: 0.15, swing: 0.035 }
const ofType = { pull: 0.25, swing: 0.06 }

// Events per machine (or rental) and day. Together with `eagerness` they give 2/3 of the GPUs rented.
export const rates = { rent: 2.8, end: 0.9, reprice: 0.4, fail: 0.12, return: 2.5 }

/**
 * Factors of the rental rate: `rent` × trust × cheapest × e^(perPosition × position) a day, where the position is the share of the type's
 * available GPUs that cost less. So the fill rates of docs/numbers.md have a known truth (test/pure/simulate.test.ts).
 */
export const eagerness = { verified: 1.25, other: 0.75, cheapest: 2.3, perPosition: -2.5 }

/** Price levels at a random time, from their long-run distribution. */
export const drawMoods = (random: Random): Moods => ({
  mood: (ofMarket.swing / Math.sqrt(2 * ofMarket.pull)) * normal(random),
  moods: Object.fromEntries(
    catalog.map(({ name }) => [name, (ofType.swing / Math.sqrt(2 * ofType.pull)) * normal(random)]),
  ),
})

/** Datacenters and verified machines ask a little more. */
const usualMargin = ({ secure, verification }: SimulatedMachine): number =>
  (secure ? 0.15 : 0) + (verification === 'verified' ? 0.04 : -0.08)

/** The logarithm of the usual current price of such machines. */
const usualPrice = ({ mood, moods }: Moods, machine: SimulatedMachine): number =>
  Math.log(machine.type.price) + mood + (moods[machine.type.name] ?? 0) + usualMargin(machine)

/** The price that its host would ask now: three digits, as people write prices. */
export function askedPrice(moods: Moods, machine: SimulatedMachine, random: Random): number {
  const { margin, premium = 0 } = machine
  const price = Math.exp(usualPrice(moods, machine) + margin + premium + 0.04 * normal(random))
  return Number(Math.max(0.001, price).toPrecision(3))
}

// More than the number of GPUs of any machine.
const mostRentals = 8

/**
 * Moves the market forward by `seconds`, at most an hour, to the time `at`. Prices return to their long-run level (an Ornstein–Uhlenbeck
 * process on logarithms), hosts follow the market from time to time, and machines at a cheap position are rented sooner.
 * Mostly nothing happens to a machine. So the next machine with an event is drawn, and the others are skipped. Each machine has its own
 * random numbers, so an event of one does not change the events of the others.
 */
export function step(market: SimulatedMarket, random: Random, seconds: number, at: number): void {
  const days = seconds / day
  const drift = (mood: number, { pull, swing }: typeof ofMarket) =>
    mood * (1 - pull * days) + swing * Math.sqrt(days) * normal(random)
  market.mood = drift(market.mood, ofMarket)
  for (const { name } of catalog) market.moods[name] = drift(market.moods[name] ?? 0, ofType)
  const demand = rates.rent * (market.rhythm ?? usualRhythm)(at)
  const { most: mostAppeal } = market.renters ?? usualRenters
  const most = demand * mostAppeal + rates.end * mostRentals + rates.reprice + rates.return
  const chance = Math.min(1, most * days)
  const skipped = () => Math.floor(Math.log(1 - random()) / Math.log(1 - chance))
  const positionOf = positionsIn(market)
  for (let next = skipped(); next < market.machines.length; next += 1 + skipped()) {
    stepMachine(market, market.machines[next] as SimulatedMachine, {
      draw: (random() * chance) / days,
      random: seeded(random() * 2 ** 32),
      demand,
      at,
      positionOf,
    })
  }
}

/** Rentals per machine and day, before the machine's appeal. */
export const demandAt = (at: number): number => rates.rent * usualRhythm(at)

/** Demand follows the day (most at 15 h UTC) and the week. */
export function usualRhythm(at: number): number {
  const weekend = ((Math.floor(at / day) + 4) % 7) % 6 === 0
  return (1 + 0.25 * Math.cos((2 * Math.PI * ((at % day) - 15 * hour)) / day)) * (weekend ? 0.85 : 1)
}

/** The position of a machine's price among the available GPUs of its type, computed at the first call for the type. */
export function positionsIn({ machines }: SimulatedMarket): (machine: SimulatedMachine) => number {
  const ofTypes = byType.get(machines) ?? groupByType(machines)
  byType.set(machines, ofTypes)
  const books = new Map<SimulatedGpu, Float64Array>()
  return (machine) => {
    const { type } = machine
    const price = comparedPrice(machine)
    const book = books.get(type) ?? bookOf(ofTypes.get(type) ?? [])
    books.set(type, book)
    let [all, cheaper] = [0, 0]
    for (let i = 0; i < book.length; i += 2) {
      const [asked = 0, gpus = 0] = [book[i], book[i + 1]]
      all += gpus
      if (asked < price) cheaper += gpus
    }
    return cheaper / all
  }
}

/** The price by which renters compare a machine with others: without its premium. */
const comparedPrice = ({ price, premium }: SimulatedMachine): number =>
  premium === undefined ? price : price * Math.exp(-premium)

/** Price and GPUs of each offer in turn: such an array is read ten times as fast as the machines. */
function bookOf(machines: readonly SimulatedMachine[]): Float64Array {
  const book = new Float64Array(2 * machines.length)
  let end = 0
  for (const machine of machines) {
    const { online, free } = machine
    if (!online || free === 0) continue
    book[end] = comparedPrice(machine)
    book[end + 1] = free
    end += 2
  }
  return book.subarray(0, end)
}

/** Cached, since a machine comes or goes only in one slot of ten or so. */
const byType = new WeakMap<SimulatedMachine[], Map<SimulatedGpu, SimulatedMachine[]>>()

function groupByType(machines: SimulatedMachine[]): Map<SimulatedGpu, SimulatedMachine[]> {
  const groups = new Map(catalog.map((type): [SimulatedGpu, SimulatedMachine[]] => [type, []]))
  for (const machine of machines) groups.get(machine.type)?.push(machine)
  return groups
}

interface Moment {
  /** A draw between 0 and the sum of the rates selects the event. */
  draw: number
  random: Random
  demand: number
  positionOf: (machine: SimulatedMachine) => number
  at: number
}

function stepMachine(market: SimulatedMarket, machine: SimulatedMachine, moment: Moment): void {
  const { random, demand, positionOf, at } = moment
  const renters = market.renters ?? usualRenters
  let { draw } = moment
  const happens = (rate: number) => {
    draw -= rate
    return draw < 0
  }
  if (happens(rates.end * machine.rentals.length)) {
    endRental(machine, pick(random, machine.rentals))
  } else if (happens(rates.reprice)) {
    machine.price = askedPrice(market, machine, random)
  } else if (happens(machine.online ? rates.fail : rates.return)) {
    machine.online = !machine.online
  } else if (!machine.online || machine.free === 0 || draw > demand * renters.most) {
    return
  } else if (happens(demand * renters.appealOf(machine, positionOf(machine)))) {
    startRental(machine, random, at)
  } else return
  machine.version += 1
}

/** The factor by which a machine is rented sooner than others. */
export function appealOf({ verification }: SimulatedMachine, position: number): number {
  const trust = verification === 'verified' ? eagerness.verified : eagerness.other
  return trust * eagerness.cheapest * Math.exp(eagerness.perPosition * position)
}

const usualRenters: Renters = { appealOf, most: eagerness.verified * eagerness.cheapest }

/** Some renters want all free GPUs, others a power of two. Renters who want fewer than can be rented at once leave. */
export function startRental(machine: SimulatedMachine, random: Random, at: number): void {
  const free = freeGpus(machine)
  const draw = random()
  const wanted = draw < 0.6 ? free.length : 2 ** Math.floor(random() * Math.log2(free.length + 1))
  if (wanted < (machine.smallest ?? 1)) return
  const { price } = machine
  machine.rentals.push({ gpus: free.slice(0, wanted), price, since: at, type: rentalType(draw) })
  machine.free -= wanted
}

/** Uses the last digits of a draw that was needed anyway. */
function rentalType(draw: number): RentalType {
  const share = (draw * 1_000_000) % 1
  return share < 0.75 ? 'on_demand' : share < 0.9 ? 'interruptible' : 'reserved'
}

export function endRental(machine: SimulatedMachine, rental: Rental): void {
  machine.rentals = machine.rentals.filter((other) => other !== rental)
  machine.free += rental.gpus.length
}

function freeGpus(machine: SimulatedMachine): number[] {
  const held = new Set(machine.rentals.flatMap((rental) => rental.gpus))
  return Array.from({ length: machine.numGpus }, (_, index) => index).filter((index) => !held.has(index))
}
