import { day, hour } from '../contract/durations.ts'
import type { FactorKind, WorthFactor } from '../contract/worth.ts'
import { type WorthMachine, worthOf } from '../estimates/worth.ts'
import { openHistory } from '../simulate/history.ts'
import type { SimulatedMachine } from '../simulate/market.ts'
import { drawPlace } from '../simulate/places.ts'
import { seededFor } from '../simulate/random.ts'
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
  { kind: 'spec', name: 'static_ip', premium: 0.1, amountOf: ({ specs }) => Number(specs.static_ip) },
  {
    kind: 'spec',
    name: 'disk_bw',
    premium: 0.04,
    amountOf: ({ specs }) => Math.log2(Number(specs.disk_bw) / 1500),
  },
  { kind: 'place', name: 'DE', premium: 0.12, amountOf: ({ place }) => Number(place === 'DE') },
  { kind: 'place', name: 'US', premium: -0.1, amountOf: ({ place }) => Number(place === 'US') },
]

const days = 30
const allTypes = 'all GPU types'
const subjects = [allTypes, 'RTX 4090']
/** Machines that must carry a premium for it to be found. */
const fewestCarrying = 200

/** The machines of 30 days of a simulated market, as the service reads them. */
async function worthMachines(
  seed: number,
  { size, premiums }: { size: number; premiums: readonly Planted[] },
): Promise<WorthMachine[]> {
  const anchor = 1_795_000_500
  const interval = hour
  const history = openHistory({ seed, size, anchor, past: days * day, interval })
  const { market } = history
  const terms = openTerms(seed)
  const found = new Map(
    [...market.machines, ...market.departed].map((machine) => {
      const of = propertiesOf(machine, seed)
      const specs = terms.specsAt(machine, anchor) as WorthMachine['specs']
      machine.premium = premiums.reduce((sum, one) => sum + one.premium * one.amountOf({ ...of, specs }), 0)
      return [machine.id, { ...of, specs, slots: 0, days: 0, rented: 0, avail: 0, paid: 0, asked: 0 }]
    }),
  )
  await history.leadTo(anchor - days * day)
  for (let slot = anchor - days * day; slot < anchor; slot += interval) {
    history.next()
    // Four looks a day are enough, and take a sixth of the time.
    if (slot % (6 * hour) >= interval) continue
    for (const { id, online, numGpus, free, price, rentals } of market.machines) {
      const of = found.get(id)
      if (!of) continue
      const offered = online ? free : 0
      if (offered === 0 && rentals.length === 0) continue
      of.slots += 1
      of.rented += numGpus - free
      of.avail += offered
      of.asked += offered * price
      for (const rental of rentals) of.paid += rental.gpus.length * rental.price
    }
  }
  return [...found.values()]
    .filter(({ slots }) => slots > 0)
    .map(({ slots, ...of }) => ({ ...of, days: Math.ceil(slots / 4) }))
}

const propertiesOf = ({ id, type, numGpus, verification, secure }: SimulatedMachine, seed: number) => ({
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
export async function findPlanted(
  seeds: readonly number[],
  size: number,
): Promise<Record<string, Detection>> {
  const found = new Map(
    subjects.map((subject) => [
      subject,
      { premiums: Object.fromEntries(planted.map(({ name }) => [name, { carried: 0, right: 0 }])), wrong: 0 },
    ]),
  )
  for (const seed of seeds) {
    const [premium, none] = [
      await worthMachines(seed, { size, premiums: planted }),
      await worthMachines(seed + 10_000, { size, premiums: [] }),
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
export async function measureWorth(markets: number, size: number): Promise<void> {
  const seeds = Array.from({ length: markets }, (_, index) => 100 + index)
  for (const [subject, { premiums, wrong }] of Object.entries(await findPlanted(seeds, size))) {
    console.log(`\n${subject}: ${markets} markets of ${size} machines with premiums, and as many without`)
    console.table(premiums)
    console.log(`markets without premiums in which a spec or a place is named: ${wrong}`)
  }
}
