import { fillRateAt, shareBelow } from '../estimates/income-curve.ts'
import { type ReplayHour, replay } from '../estimates/replay.ts'
import { openHistory } from '../simulate/history.ts'
import type { SimulatedMachine, SimulatedMarket } from '../simulate/market.ts'
import type { Plan } from '../simulate/population.ts'
import { seededFor } from '../simulate/random.ts'
import { type ClassFlow, isOfClass } from '../src/hosts/machines/compared.ts'
import { rateMarket } from '../src/hosts/machines/market-rates.ts'
import { rateName, ratesOf } from '../src/hosts/machines/pooled-rates.ts'
import { classOf, watchFlows } from './simulated-flows.ts'

const hour = 3600
const day = 24 * hour
/** Days that give the first rates, and replayed days. */
const [learned, replayed] = [7, 7]
const interval = 900
/** One machine in this many is replayed: few enough to leave the market unchanged. */
const every = 10
const factors = [0.8, 0.9, 1.1, 1.2]

type Rates = ReturnType<typeof ratesOf>

/** A replayed machine, and its facts from the first run. */
interface ReplayedMachine {
  machine: SimulatedMachine
  factor: number
  price: number
  begin: { gpus: number; price: number }[]
  /** For each hour: true if online, the share of cheaper GPUs on offer, and the rates of the days before. */
  hours: { online: boolean; share: number; rates: Rates }[]
}

interface Outcome {
  rig: number
  factor: number
  truth: number
  expected: ReturnType<typeof replay>
}

/**
 * Prints the share of 80 % intervals of replays that contain the machine's income in a second simulation with the other price and the same
 * random numbers. A replay uses facts of the first run, and for each hour only facts from before it.
 */
export async function measureReplay(seeds: readonly number[], size: number): Promise<void> {
  const found: Outcome[] = []
  for (const seed of seeds) {
    const some = await replayMarket({
      seed,
      size,
      anchor: 1_795_000_500,
      past: (learned + replayed) * day,
      interval,
    })
    found.push(...some)
    print(`seed ${seed}`, some)
  }
  print('all', found)
  for (const rig of [1, 2, 4, 8])
    print(
      `rigs of ${rig}`,
      found.filter((one) => one.rig === rig),
    )
  for (const factor of factors)
    print(
      `at ${factor} of its price`,
      found.filter((one) => one.factor === factor),
    )
}

function print(name: string, outcomes: readonly Outcome[]): void {
  const known = outcomes.flatMap(({ truth, expected }) => (expected ? [{ truth, ...expected.earned }] : []))
  const share = (passes: (one: (typeof known)[number]) => boolean) =>
    ((100 * known.filter(passes).length) / known.length).toFixed(1)
  console.log(
    `replay, ${name} (expected ${(sumOf(known.map(({ value }) => value)) / sumOf(known.map(({ truth }) => truth))).toFixed(3)} of what was earned; ${known.length} of ${outcomes.length} machines): ${share(({ truth, low, high }) => low <= truth && truth <= high)} % of the 80 % intervals hold what was earned, ${share(({ truth, low }) => truth < low)} % below, ${share(({ truth, high }) => truth > high)} % above`,
  )
}

async function replayMarket(plan: Plan): Promise<Outcome[]> {
  const machines = await watch(plan)
  const truths = await earnedAt(plan, machines)
  return machines.map(({ machine, factor, price, begin, hours }, index) => {
    const expected = replay({
      gpus: machine.numGpus,
      atOnce: hours[0]?.rates.gpus_at_once ?? 1,
      begin,
      hours: hours.flatMap(hourOf),
      rule: () => price,
      random: seededFor(plan.seed, machine.id),
    })
    return { rig: machine.numGpus, factor, truth: truths[index] ?? 0, expected }
  })
}

const hourOf = ({ online, share, rates }: ReplayedMachine['hours'][number]): ReplayHour[] =>
  rates.return_rate ? [{ online, fillAt: () => fillRateAt(share, rates), back: rates.return_rate }] : []

/** The first run. */
async function watch(plan: Plan): Promise<ReplayedMachine[]> {
  const history = openHistory(plan)
  const { market } = history
  const begin = plan.anchor - plan.past
  await history.leadTo(begin)
  const flows = watchFlows(interval)
  let machines: ReplayedMachine[] = []
  let ratesFor = openRates([])
  for (let slot = begin; slot < plan.anchor; slot += interval) {
    const passed = slot - begin
    if (passed > 0 && passed % hour === 0) flows.endHour()
    if (passed > 0 && passed % day === 0) {
      flows.endDay()
      ratesFor = openRates(flows.last(learned))
    }
    if (passed === learned * day) machines = choose(market, plan)
    if (passed % hour === 0)
      for (const { machine, price, hours } of machines)
        hours.push({
          online: machine.online,
          share: shareOf(market, machine, price),
          rates: ratesFor(machine),
        })
    flows.step(market, history.next)
  }
  return machines
}

/** Machines that are there to the end. */
const choose = ({ machines }: SimulatedMarket, { seed }: Plan): ReplayedMachine[] =>
  machines
    .filter((machine) => !('left' in machine && Number(machine.left) > 0))
    .filter((_, index) => index % every === seed % every)
    .map((machine, index) => {
      const factor = factors[index % factors.length] ?? 1
      const begin = machine.rentals.map(({ gpus, price }) => ({ gpus: gpus.length, price }))
      return { machine, factor, price: Number((machine.price * factor).toPrecision(4)), begin, hours: [] }
    })

function shareOf({ machines }: SimulatedMarket, machine: SimulatedMachine, price: number): number {
  const others = machines.filter((one) => one.type === machine.type && one.id !== machine.id && one.online)
  const book = others.map((one) => ({ price: one.price, gpus: one.free }))
  return shareBelow(price, { book, gpus: machine.numGpus })
}

/** Rates that a host can know about his machine. */
function openRates(flows: readonly ClassFlow[]): (machine: SimulatedMachine) => Rates {
  const market = rateMarket(flows)
  const names = new Map(
    [...new Set(flows.map((row) => row.gpu_name))].map((name) => {
      const rows = flows.filter((row) => row.gpu_name === name)
      return [name, { rows, rates: rateName(rows, market, true) }]
    }),
  )
  const known = new Map<number, Rates>()
  return (machine) => {
    const own = classOf(machine)
    const { rows, rates } = names.get(own.gpu_name) ?? { rows: [], rates: rateName([], market, true) }
    const found =
      known.get(machine.id) ??
      ratesOf(
        own,
        rows.filter((row) => isOfClass(own, row)),
        rates,
      )
    known.set(machine.id, found)
    return found
  }
}

/** The second run, in which the machines ask the other price. Returns the income of each. */
async function earnedAt(plan: Plan, machines: readonly ReplayedMachine[]): Promise<number[]> {
  const history = openHistory(plan)
  const from = plan.anchor - replayed * day
  await history.leadTo(from)
  const earned = machines.map(() => 0)
  for (let slot = from; slot < plan.anchor; slot += interval) {
    const byId = new Map(history.market.machines.map((machine) => [machine.id, machine]))
    for (const [
      index,
      {
        machine: { id },
        price,
      },
    ] of machines.entries()) {
      const machine = byId.get(id)
      if (!machine) continue
      machine.price = price
      const income = machine.rentals.reduce((sum, rental) => sum + rental.price * rental.gpus.length, 0)
      earned[index] = (earned[index] ?? 0) + (income * interval) / hour
    }
    history.next()
  }
  return earned
}

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
