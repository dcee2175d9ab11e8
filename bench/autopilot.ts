import { autopilotLimits } from '../contract/autopilot-kinds.ts'
import { type Costs, costFields } from '../contract/cost-fields.ts'
import { decidePrice } from '../estimates/autopilot.ts'
import type { AutopilotRails } from '../estimates/autopilot-moment.ts'
import { costsOf, marginOf, netOf } from '../estimates/costs.ts'
import { openHistory } from '../simulate/history.ts'
import { endRental, type SimulatedMarket } from '../simulate/market.ts'
import type { Plan, SimulatedPast } from '../simulate/population.ts'
import { seededFor } from '../simulate/random.ts'
import { type Priced, watchBooks } from './simulated-books.ts'

const hour = 3600
const day = 24 * hour
const interval = hour
/** Days that give the first rates and books, and days in which prices are set. */
const [learned, lasting] = [7, 28]
/** One machine in this many gets a price: few enough that the market stays the same. */
const every = 10
/** The costs of their host. The watts depend on the GPU type. */
const account: Costs = {
  ...(Object.fromEntries(costFields.map((field) => [field, null])) as Costs),
  kwh_price: 0.12,
  fee_percent: 15,
}
/** The defaults of a rule. */
const rails: AutopilotRails = {
  floor: null,
  ceiling: null,
  largest_step: 0.1,
  hours_between: 6,
  changes_a_day: 4,
  quiet: null,
  idle: null,
}

/** Demand above the highest other price: at a price 10 % above it, 0.56 of the renters are left, as in the middle of the market. */
const patience = 6

/** A machine whose price is set, and its income so far. */
interface Own extends Priced {
  floor: number
  earned: number
  rentedGpuHours: number
  onlineHours: number
  hours: number
  recent: number
  changes: number[]
  /** Hours since it was first available at its price, and mean rented hours of its GPUs. */
  atPrice: { price: number; hours: number; rented: number }
}

type OutcomeCounts = Map<string, number>
/** Seconds between decisions. */
interface Way {
  every: number
  set(
    own: readonly Own[],
    context: { seen: ReturnType<typeof watchBooks>; slot: number; outcomes: OutcomeCounts },
  ): void
}

/** A rule with the recommended price as its target. In shorter intervals it would mostly wait. */
const rule: Way = {
  every: rails.hours_between * hour,
  set(own, { seen, slot, outcomes }) {
    for (const one of own) {
      const { machine, price, changes } = one
      const crowd = seen.others(machine)
      const decision = decidePrice({
        target: { kind: 'recommended', own_results: autopilotLimits.ownResults },
        rails,
        now: slot,
        slot,
        slot_before: slot - interval,
        interval,
        price,
        online: machine.online,
        idle_since: null,
        left: null,
        changes,
        cost_floor: one.floor,
        own_results: resultsOf(one),
        market: { asks: [], ...crowd },
        name_market: crowd,
        recommended: seen.recommended(one),
      })
      const what = decision.kind === 'refusal' ? decision.refusal : decision.kind
      outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
      if (decision.kind !== 'change') continue
      one.price = decision.price
      changes.push(slot)
    }
  },
}

const resultsOf = ({ price, atPrice: { hours, rented, ...of } }: Own) =>
  hours === 0 || of.price !== price ? null : { hours, occupancy: rented / hours }

/**
 * The script to compare with: once a day it raises the price by a tenth above 80 % occupancy, and lowers it by a tenth below 30 %, not below the
 * floor.
 */
const script: Way = {
  every: day,
  set(own) {
    for (const one of own) {
      const share = one.recent / (24 * one.machine.numGpus)
      one.recent = 0
      const factor = share > 0.8 ? 1.1 : share < 0.3 ? 0.9 : 1
      one.price = Math.max(one.floor, Number((one.price * factor).toPrecision(4)))
    }
  },
}

const ways = { autopilot: rule, script, left: { every: day, set: () => undefined } } satisfies Record<
  string,
  Way
>
type Net = Record<keyof typeof ways, number>

/**
 * Compares the income of the same machines after power and fee, in the same market with the same random numbers: with prices set by a rule,
 * by the script, and left alone. Renters react to the prices. Simulated renters accept any price above all others at the rate of the most
 * expensive position, so the comparison is repeated with renters who avoid such prices.
 */
export async function measureAutopilot(seeds: readonly number[], size: number): Promise<void> {
  for (const passOver of [false, true]) {
    const found: Record<string, object> = {}
    for (const seed of seeds) found[`seed ${seed}`] = await compareWays(seed, { size, passOver })
    const who = passOver ? ', where renters pass over what is dearer than all others' : ''
    console.log(`income of ${lasting} days after power and fee${who}`)
    console.table(found)
  }
}

async function compareWays(seed: number, { size, passOver }: { size: number; passOver: boolean }) {
  const past = (learned + lasting) * day
  const net: Net = { autopilot: 0, script: 0, left: 0 }
  let machines = 0
  for (const name of Object.keys(ways) as (keyof Net)[]) {
    const plan = { seed, size, anchor: 1_795_000_500, past, interval }
    const { own, outcomes } = await runMarket(plan, { way: ways[name], passOver })
    net[name] = own.reduce((sum, one) => sum + netOfOwn(one), 0)
    machines = own.length
    const did = outcomes.size > 0 ? ` ${JSON.stringify(Object.fromEntries(outcomes))}` : ''
    console.log(`seed ${seed}, ${name}: $${Math.round(net[name])}${did}`)
  }
  const { autopilot, script: other, left } = net
  const [above, beside] = [autopilot / other, autopilot / left].map((ratio) => Number(ratio.toFixed(3)))
  return {
    machines,
    'rule, USD': Math.round(autopilot),
    'script, USD': Math.round(other),
    'left alone, USD': Math.round(left),
    'rule ÷ script': above,
    'rule ÷ left alone': beside,
  }
}

const netOfOwn = ({ machine, costs, ...spent }: Own): number => netOf(machine.numGpus, spent, costs) ?? 0

/** Simulates a market in which a strategy sets the prices of some machines, after the first days. */
async function runMarket(
  plan: Plan,
  { way, passOver }: { way: Way; passOver: boolean },
): Promise<{ own: Own[]; outcomes: OutcomeCounts }> {
  const history = openHistory(plan)
  const { market } = history
  const begin = plan.anchor - plan.past
  await history.leadTo(begin)
  const seen = watchBooks(market, interval)
  const own = choose(market, plan)
  const outcomes: OutcomeCounts = new Map()
  for (let slot = begin; slot < plan.anchor; slot += interval) {
    const passed = slot - begin
    const isSet = passed >= learned * day
    if (!isSet) for (const one of own) one.price = one.machine.price
    if (passed % hour === 0) own.forEach(countAtPrice)
    if (way === rule) {
      seen.look(slot)
      if (isSet && passed % day === 0) seen.learn()
    }
    if (isSet && passed % way.every === 0) way.set(own, { seen, slot: passed, outcomes })
    // Otherwise the simulated host would change it from time to time.
    for (const one of own) one.machine.price = one.price
    history.next()
    if (isSet && passOver) endDearest(market, own, slot + interval)
    if (isSet) own.forEach(earn)
  }
  return { own, outcomes }
}

/** Machines that are there from the beginning to the end. */
const choose = ({ machines }: SimulatedPast, { seed, past }: Plan): Own[] =>
  machines
    .filter(({ came, left }) => left === 0 && came >= past)
    .filter((_, index) => index % every === seed % every)
    .map((machine) => {
      const costs = costsOf(account, undefined, { gpu_name: machine.type.name, num_gpus: machine.numGpus })
      const floor = marginOf(costs, machine.numGpus)?.minimum_bid ?? 0
      const nothing = { earned: 0, rentedGpuHours: 0, onlineHours: 0, hours: 0, recent: 0 }
      const { price } = machine
      const atPrice = { price, hours: 0, rented: 0 }
      return { machine, costs, floor, price, ...nothing, changes: [], atPrice }
    })

/** Ends rentals that began at this slot on machines above all other prices: the higher the price, the more of them. */
function endDearest({ machines }: SimulatedMarket, own: readonly Own[], at: number): void {
  const ownIds = new Set(own.map(({ machine }) => machine.id))
  const tops = new Map<string, number>()
  for (const { id, online, free, price, type } of machines)
    if (online && free > 0 && !ownIds.has(id)) tops.set(type.name, Math.max(price, tops.get(type.name) ?? 0))
  for (const { machine, price } of own) {
    const top = tops.get(machine.type.name) ?? price
    const begun = machine.rentals.filter(({ since }) => since === at)
    if (begun.length === 0 || price <= top || seededFor(machine.id, at)() < (top / price) ** patience)
      continue
    for (const rental of begun) endRental(machine, rental)
  }
}

function earn(one: Own): void {
  const { machine } = one
  const hours = interval / hour
  const rented = hours * (machine.numGpus - machine.free)
  one.hours += hours
  one.onlineHours += machine.online ? hours : 0
  one.rentedGpuHours += rented
  one.recent += rented
  for (const { gpus, price } of machine.rentals) one.earned += hours * gpus.length * price
}

/** Counted as in machines/own_history. */
function countAtPrice(one: Own): void {
  const { machine, price } = one
  if (one.atPrice.price !== price) one.atPrice = { price, hours: 0, rented: 0 }
  if (!machine.online || (one.atPrice.hours === 0 && machine.free === 0)) return
  one.atPrice.hours += 1
  one.atPrice.rented += 1 - machine.free / machine.numGpus
}
