import { hour } from '../contract/durations.ts'
import type { FactorKind, WorthFactor } from '../contract/worth.ts'
import { worthOf } from '../estimates/worth.ts'
import type { WorthMachine } from '../estimates/worth-factors.ts'
import {
  appealOf,
  askedPrice,
  endRental,
  positionsIn,
  rates,
  type SimulatedMachine,
  type SimulatedMarket,
  startRental,
} from '../simulate/market.ts'
import { drawPlace } from '../simulate/places.ts'
import { drawMarket } from '../simulate/population.ts'
import { exponential, pick, type Random, seeded, seededFor } from '../simulate/random.ts'
import { openTerms } from '../simulate/terms.ts'

/** A premium that renters pay for machines with a spec or in a place, as a logarithm. */
interface Planted {
  kind: FactorKind
  name: string
  premium: number
  /** The amount of it that a machine has. */
  amountOf(machine: Pick<WorthMachine, 'place' | 'specs'>): number
}

const planted: readonly Planted[] = [
  { kind: 'spec', name: 'static_ip', premium: 0.12, amountOf: ({ specs }) => Number(specs.static_ip) },
  {
    kind: 'spec',
    name: 'disk_bw',
    premium: 0.04,
    amountOf: ({ specs }) => Math.log2(Number(specs.disk_bw) / 1500),
  },
  { kind: 'place', name: 'DE', premium: 0.12, amountOf: ({ place }) => Number(place === 'DE') },
  { kind: 'place', name: 'US', premium: -0.1, amountOf: ({ place }) => Number(place === 'US') },
]

export const monthDays = 30
/** Days before them in which rentals reach their usual number. */
const settling = 4
const anchor = 1_795_000_500
const allTypes = 'all GPU types'
const subjects = [allTypes, 'RTX 4090']
/** Machines that must carry a premium for it to be found. */
const fewestCarrying = 200

/** The machines of 30 days, each followed by itself among the prices of the first day, with the rates of the simulator. */
function worthMachines(
  seed: number,
  { size, premiums }: { size: number; premiums: readonly Planted[] },
): WorthMachine[] {
  const random = seeded(seed)
  const market = drawMarket({ seed, size, anchor, past: 0, interval: hour })
  const terms = openTerms(seed)
  const drawn = market.machines.map((machine) => {
    const properties = propertiesOf(machine, seed)
    const specs = terms.specsAt(machine, anchor) as WorthMachine['specs']
    machine.premium = premiums.reduce(
      (sum, one) => sum + one.premium * one.amountOf({ ...properties, specs }),
      0,
    )
    machine.price = askedPrice(market, machine, random)
    return { machine, properties: { ...properties, specs } }
  })
  const positionOf = positionsIn(market)
  return drawn.map(({ machine, properties }) => ({
    ...properties,
    days: monthDays,
    ...monthOf(machine, { random, market, positionOf }),
  }))
}

interface Month {
  random: Random
  market: SimulatedMarket
  positionOf: (machine: SimulatedMachine) => number
}

/** GPU-days of a machine and what they cost. */
export function monthOf(machine: SimulatedMachine, { random, market, positionOf }: Month) {
  const sums = { rented: 0, avail: 0, paid: 0, asked: 0 }
  // The book has the first price of each machine, so a machine is moved in a copy.
  const now = { ...machine, rentals: [...machine.rentals] }
  for (let at = -settling; at < monthDays; ) {
    const rent = now.free > 0 ? rates.rent * appealOf(now, positionOf(now)) : 0
    const total = rates.end * now.rentals.length + rates.reprice + rent
    const next = Math.min(monthDays, at + exponential(random, 1 / total))
    const held = Math.max(0, next - Math.max(0, at))
    sums.avail += held * now.free
    sums.asked += held * now.free * now.price
    for (const { gpus, price } of now.rentals) {
      sums.rented += held * gpus.length
      sums.paid += held * gpus.length * price
    }
    at = next
    const draw = random() * total
    if (draw < rates.reprice) now.price = askedPrice(market, now, random)
    else if (draw < rates.reprice + rent) startRental(now, random, anchor)
    else endRental(now, pick(random, now.rentals))
  }
  return sums
}

export const propertiesOf = (
  { id, type, numGpus, verification, secure }: SimulatedMachine,
  seed: number,
) => ({
  group: type.name,
  // As in the demo market, a few hosts have most of the machines.
  host: `${Math.floor(seededFor(seed + 12, id)() ** 2 * 300)}`,
  gpus: numGpus,
  place: drawPlace(seededFor(seed + 11, id)).geolocation.slice(-2),
  tier: verification,
  isDatacenter: secure,
})

const isRight = (factor: WorthFactor | undefined, premium: number): boolean =>
  factor?.price.value != null && Math.sign(factor.price.value) === Math.sign(premium)

/** Premiums that are found with their sign, and markets without premiums in which a spec or a place is named. */
interface Detection {
  premiums: Record<string, { carried: number; right: number }>
  wrong: number
}

/** Looks for planted premiums among all GPU types and among one of them, in markets with premiums and without. */
export function findPlanted(seeds: readonly number[], size: number): Record<string, Detection> {
  const found = new Map(
    subjects.map((subject) => [
      subject,
      { premiums: Object.fromEntries(planted.map(({ name }) => [name, { carried: 0, right: 0 }])), wrong: 0 },
    ]),
  )
  for (const seed of seeds) {
    const [premium, none] = [
      worthMachines(seed, { size, premiums: planted }),
      worthMachines(seed + 10_000, { size, premiums: [] }),
    ]
    for (const [subject, counts] of found) {
      const isOf = ({ group }: WorthMachine) => subject === allTypes || group === subject
      const { factors } = worthOf(premium.filter(isOf))
      for (const { kind, name, premium } of planted) {
        const factor = factors.find((one) => one.kind === kind && one.name === name)
        const of = counts.premiums[name]
        if (!of || (factor?.machines ?? 0) < fewestCarrying) continue
        of.carried += 1
        of.right += Number(isRight(factor, premium))
      }
      counts.wrong += Number(worthOf(none.filter(isOf)).factors.some(isNamed))
    }
  }
  return Object.fromEntries(found)
}

const isNamed = ({ kind, price, fill }: WorthFactor): boolean =>
  (kind === 'spec' || kind === 'place') && (price.value !== null || fill.value !== null)

/** Prints how often planted premiums are found, and how often some are found where none is planted. */
export function measureWorth(markets: number, size: number): void {
  const seeds = Array.from({ length: markets }, (_, index) => 100 + index)
  for (const [subject, { premiums, wrong }] of Object.entries(findPlanted(seeds, size))) {
    console.log(`\n${subject}: ${markets} markets of ${size} machines with premiums, and as many without`)
    console.table(premiums)
    console.log(`markets without premiums in which a spec or a place is named: ${wrong}`)
  }
}
