import { catalog, type GpuType } from './catalog.ts'
import { normal, pick, type Random } from './random.ts'

export interface Rental {
  gpus: number[]
  /** USD per GPU-hour, fixed when the rental began. */
  price: number
}

export interface Machine {
  id: number
  type: GpuType
  numGpus: number
  verified: boolean
  secure: boolean
  online: boolean
  /** How far its host prices it above the market, as a logarithm. */
  margin: number
  /** USD per GPU-hour that its host asks now. */
  price: number
  rentals: Rental[]
}

export interface Market {
  machines: Machine[]
  /** Logarithms by which prices stand above their long-run level: of the whole market, and of each GPU type. */
  mood: number
  moods: Record<string, number>
}

/** What a step changed, for whoever keeps the market elsewhere, too. */
export interface Changes {
  repriced: Machine[]
  toggled: Machine[]
  started: { machine: Machine; rental: Rental }[]
  ended: { machine: Machine; rental: Rental }[]
}

const perDay = (times: number, seconds: number) => (times * seconds) / 86_400

/** A market as it may look at any moment: the same random numbers give the same market. */
export function createMarket(random: Random, size: number): Market {
  const moods = Object.fromEntries(catalog.map((type) => [type.name, 0.08 * normal(random)]))
  const market: Market = { machines: [], mood: 0.06 * normal(random), moods }
  const total = catalog.reduce((sum, type) => sum + type.share, 0)
  for (const type of catalog) {
    const count = Math.max(1, Math.round((size * type.share) / total))
    for (let i = 0; i < count; i += 1) market.machines.push(createMachine(random, market, type))
  }
  market.machines.forEach((machine, index) => {
    machine.id = index + 1
  })
  return market
}

function createMachine(random: Random, market: Market, type: GpuType): Machine {
  const secure = random() < type.secure
  const verified = random() < type.verified
  const machine: Machine = {
    id: 0,
    type,
    numGpus: pick(random, type.rigs),
    verified,
    secure,
    online: random() < 0.95,
    margin: usualMargin(secure, verified) + 0.16 * normal(random),
    price: 0,
    rentals: [],
  }
  machine.price = marketPrice(market, machine)
  if (random() < 0.68) startRental(random, machine)
  return machine
}

/** Datacenters and verified machines ask a little more. */
const usualMargin = (secure: boolean, verified: boolean): number =>
  (secure ? 0.15 : 0) + (verified ? 0.04 : -0.08)

// A host who looks at the market moves part of the way to where hosts like it stand, and differs a little: the spread stays 0.16.
function reconsider(machine: Machine, random: Random): void {
  const usual = usualMargin(machine.secure, machine.verified)
  machine.margin = usual + 0.95 * (machine.margin - usual) + 0.05 * normal(random)
}

const marketPrice = (market: Market, machine: Machine): number =>
  Math.max(
    0.001,
    Math.round(
      1000 *
        machine.type.price *
        Math.exp(market.mood + (market.moods[machine.type.name] ?? 0) + machine.margin),
    ) / 1000,
  )

export const freeGpus = (machine: Machine): number[] => {
  const held = new Set(machine.rentals.flatMap((rental) => rental.gpus))
  return Array.from({ length: machine.numGpus }, (_, index) => index).filter((index) => !held.has(index))
}

function startRental(random: Random, machine: Machine): Rental {
  const free = freeGpus(machine)
  const wanted = random() < 0.6 ? free.length : 2 ** Math.floor(random() * Math.log2(free.length + 1))
  const rental = { gpus: free.slice(0, Math.max(1, wanted)), price: machine.price }
  machine.rentals.push(rental)
  return rental
}

/**
 * Moves the market by `seconds`. Prices pull back to their long-run level (an Ornstein–Uhlenbeck process on logarithms), hosts follow
 * the market now and then, cheap machines are rented sooner. The process has no direction in time: walked forward it is the market's
 * future, walked backward from now it is as good a past.
 */
export function step(market: Market, random: Random, seconds: number): Changes {
  const changes: Changes = { repriced: [], toggled: [], started: [], ended: [] }
  const days = seconds / 86_400
  const drift = (mood: number, pull: number, swing: number) =>
    mood * (1 - pull * days) + swing * Math.sqrt(days) * normal(random)
  market.mood = drift(market.mood, 0.15, 0.035)
  for (const type of catalog) market.moods[type.name] = drift(market.moods[type.name] ?? 0, 0.25, 0.06)
  for (const machine of market.machines) stepMachine(market, machine, random, seconds, changes)
  return changes
}

function stepMachine(
  market: Market,
  machine: Machine,
  random: Random,
  seconds: number,
  changes: Changes,
): void {
  // One draw decides whether anything happens at all, which most of the time is no.
  const draw = random()
  const dear = Math.log(machine.price / marketPrice(market, { ...machine, margin: 0 }))
  const rent =
    machine.online && freeGpus(machine).length > 0 ? perDay(2.2, seconds) * Math.exp(-2.5 * dear) : 0
  const end = machine.rentals.length * perDay(0.9, seconds)
  const reprice = perDay(0.4, seconds)
  const toggle = machine.online ? perDay(0.12, seconds) : perDay(2.5, seconds)
  if (draw < rent) {
    changes.started.push({ machine, rental: startRental(random, machine) })
  } else if (draw < rent + end) {
    const rental = pick(random, machine.rentals)
    machine.rentals = machine.rentals.filter((other) => other !== rental)
    changes.ended.push({ machine, rental })
  } else if (draw < rent + end + reprice) {
    reconsider(machine, random)
    machine.price = marketPrice(market, machine)
    changes.repriced.push(machine)
  } else if (draw < rent + end + reprice + toggle) {
    machine.online = !machine.online
    changes.toggled.push(machine)
  }
}

/** What a snapshot of one machine reads: (rented, price, GPUs), available first, as sql/postgres/queries/capture.sql does. */
export function statesOf(machine: Machine): { rented: boolean; price: number; gpus: number }[] {
  const free = machine.online ? freeGpus(machine).length : 0
  const held = new Map<number, number>()
  for (const { price, gpus } of machine.rentals) held.set(price, (held.get(price) ?? 0) + gpus.length)
  return [
    ...(free > 0 ? [{ rented: false, price: machine.price, gpus: free }] : []),
    ...[...held].sort(([a], [b]) => a - b).map(([price, gpus]) => ({ rented: true, price, gpus })),
  ]
}
