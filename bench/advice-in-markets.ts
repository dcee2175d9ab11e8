import { mean } from 'simple-statistics'
import type { Estimate } from '../estimates/fill-rate.ts'
import { adviseOnPrice, type PooledAdvice } from '../estimates/pooled/advise.ts'
import type { Book } from '../estimates/pooled/books.ts'
import { type CountedMachine, productKey } from '../estimates/pooled/counts.ts'
import { drawCount } from '../estimates/pooled/draws.ts'
import { type FleetMachine, fleetGain, planFleet } from '../estimates/pooled/fleet.ts'
import { fitMarket, openFit } from '../estimates/pooled/market.ts'
import { addTimes } from '../estimates/pooled/matrix.ts'
import { bookDays } from '../estimates/pooled/product.ts'
import { inOneGo } from '../estimates/pooled/steps.ts'
import { groupBy } from '../platform/group-by.ts'
import { openHistory, type SimulatedHistory } from '../simulate/history.ts'
import type { Renters, SimulatedMachine } from '../simulate/market.ts'
import { seeded, seededFor } from '../simulate/random.ts'
import { openTruth } from './advice-truth.ts'
import { type MarketKind, rentersOf } from './renters.ts'
import { slotsBetween, watchMarket } from './watch-market.ts'

const day = 86_400
const interval = 900
/** Days of counts that a fit reads, and days in which the market settles before they begin. */
const [recent, settling] = [10, 8]
const begin = 1_795_046_400
/** One machine in this many is advised: enough for shares of a hundredth in five markets. */
const every = 4

/** Days after the advice in which it is judged again: others reprice, and the market drifts. */
const ahead = 3

/** Advice beside the truth, USD a day. */
interface JudgedAt {
  kind: MarketKind
  seed: number
  days: number
  /** True gain of the advised price. */
  trueGain: number
}

/** Advice on a machine beside the truth, USD a day. */
export interface Judged extends PooledAdvice, JudgedAt {
  /** True gain of the best price within a step. */
  best: number
  trueIncome: number
}

/** The gain of a fleet whose changes of prices are made together, beside the truth. */
export interface JudgedFleet extends JudgedAt {
  gain: Estimate
  /** The part of the claimed gain at other machines of the fleet. */
  effect: number
  /** Machines whose lower price would have taken renters from the others. */
  held: number
}

interface JudgedMarket {
  /** Advice beside the truth of the days before it, which a host has seen. */
  past: Judged[]
  /** The same advice beside the truth of the next days. */
  next: Judged[]
  fleets: JudgedFleet[]
}

interface Watched {
  history: SimulatedHistory
  watch: ReturnType<typeof watchMarket>
  renters: Renters
}

/** Advises machines of a simulated market at some ages of its record, in days. */
export async function adviseMarket(
  kind: MarketKind,
  { seed, size, ages }: { seed: number; size: number; ages: readonly number[] },
): Promise<JudgedMarket> {
  const past = (settling + Math.ceil(Math.max(...ages)) + ahead + 1) * day
  const history = openHistory({ seed, size, anchor: begin - settling * day + past, past, interval })
  const renters = rentersOf(kind, seed)
  history.market.renters = renters
  // The truth of the first hour is in books of a day, which a host has not seen.
  let slot = begin - day
  await history.leadTo(slot)
  const watch = watchMarket(interval)
  watch.look(history.market, slot)
  const found: JudgedMarket = { past: [], next: [], fleets: [] }
  const moments = ages
    .map((days) => ({ days, now: begin + Math.round((days * day) / interval) * interval }))
    .flatMap(({ days, now }) => {
      const about = { kind, seed, days }
      let advised: Advised[] = []
      return [
        {
          slot: now,
          act: () => {
            const market = openAdvice({ history, watch, renters }, now)
            advised = market.advised
            const from = now - Math.min(bookDays, Math.max(1, days)) * day
            const truth = truthIn({ watch, renters }, { from, to: now })
            const isAsked = ({ machine }: Advised) => machine.id % every === 0
            found.past.push(...advised.filter(isAsked).map((one) => ({ ...about, ...judged(one, truth) })))
            found.fleets.push(...judgedFleets(market, truth).map((one) => ({ ...about, ...one })))
          },
        },
        {
          slot: now + ahead * day,
          act: () => {
            const truth = truthIn({ watch, renters }, { from: now, to: now + ahead * day })
            const isAsked = ({ machine }: Advised) => machine.id % every === 0
            found.next.push(...advised.filter(isAsked).map((one) => ({ ...about, ...judged(one, truth) })))
          },
        },
      ]
    })
    .sort((one, other) => one.slot - other.slot)
  for (const moment of moments) {
    while (slot < moment.slot) {
      history.next()
      slot += interval
      watch.look(history.market, slot)
    }
    moment.act()
  }
  return found
}

/** A machine with the advice on its price then. */
interface Advised extends FleetMachine {
  machine: SimulatedMachine
  counted: CountedMachine
}

/** Advises all machines that are on the market now. */
function openAdvice({ history, watch }: Watched, now: number): { advised: Advised[]; doubt: number } {
  const days = (now - begin) / day
  const seen = watch.lookAt(history.market)
  const counts = {
    ...watch.since(Math.max(begin, now - recent * day)),
    days,
    books: watch.booksAt(
      slotsBetween(Math.max(begin, now - bookDays * day), now, interval),
      Math.min(bookDays, days),
    ),
    newest: seen.map(({ counted, ...one }) => ({ ...counted, ...one })),
  }
  const { fit, products } = inOneGo(fitMarket(counts, seeded(5)))
  const find = openFit(fit, (of) => seededFor(1, of))
  const advised = seen.flatMap(({ machine, counted }) => {
    const fit = find(counted, products)
    if (!machine.online || !fit) return []
    const { id, price } = machine
    return [{ id, price, fit, margin: null, machine, counted, advice: adviseOnPrice(machine, fit, null) }]
  })
  return { advised, doubt: fit.doubt }
}

/** The true income of a machine at a price, where the offers of some machines are moved by a factor. */
type Truth = (one: Advised, moves?: ReadonlyMap<number, number>) => (price: number) => number

function truthIn(
  { watch, renters }: Pick<Watched, 'watch' | 'renters'>,
  { from, to }: { from: number; to: number },
): Truth {
  const incomeOf = openTruth({ from, to, renters })
  const slots = slotsBetween(Math.ceil((from + 1) / interval) * interval, to, interval)
  const books = watch.booksAt(slots, 1)
  return ({ machine, counted }, moves = new Map()) =>
    incomeOf(machine, movedBooks(books.get(productKey(counted))?.books ?? [], moves))
}

/** Books after some machines have moved their prices by a factor. */
function movedBooks(books: readonly Book[], moves: ReadonlyMap<number, number>): readonly Book[] {
  if (moves.size === 0) return books
  return books.map(({ prices, gpus, machines, ...book }) => {
    const offers = machines
      .map((id, index) => ({
        id,
        gpus: gpus[index] ?? 0,
        price: (prices[index] ?? 0) * (moves.get(id) ?? 1),
      }))
      .sort((one, other) => one.price - other.price)
    return {
      ...book,
      prices: offers.map((one) => one.price),
      gpus: offers.map((one) => one.gpus),
      machines: offers.map((one) => one.id),
    }
  })
}

function judged(one: Advised, truth: Truth): Omit<Judged, 'kind' | 'seed' | 'days'> {
  const { price, advice } = one
  const incomeAt = truth(one)
  const trueIncome = incomeAt(price)
  const best = Math.max(...steps.map((share) => incomeAt(share * price)))
  const trueGain = incomeAt(advice.decision.price ?? price) - trueIncome
  return { ...advice, trueGain, best: best - trueIncome, trueIncome }
}

/** Fleets of the market: every fleet has blocks of four machines, mostly of one GPU type. */
const [block, fleets] = [4, 25]

function judgedFleets({ advised, doubt }: { advised: Advised[]; doubt: number }, truth: Truth) {
  const byFleet = groupBy(advised, ({ id }) => `${Math.floor(id / block) % fleets}`)
  return [...byFleet.values()].flatMap((machines) => {
    const draws = new Float64Array(drawCount)
    let [trueGain, effect, held] = [0, 0, 0]
    for (const of of groupBy(machines, ({ counted }) => productKey(counted)).values()) {
      const plan = inOneGo(planFleet(of))
      if (plan.gains) addTimes(draws, plan.gains, 1)
      effect += plan.effect
      held += plan.held.size
      const priceOf = ({ id, price, advice: { decision } }: Advised) =>
        plan.held.has(id) ? price : (decision.price ?? price)
      const moves = new Map(of.map((one) => [one.id, priceOf(one) / one.price]))
      for (const one of of) trueGain += truth(one, moves)(priceOf(one)) - truth(one)(one.price)
    }
    const gain = fleetGain(draws, doubt)
    return gain.value === 0 ? [] : [{ trueGain, gain, effect, held }]
  })
}

/** Prices within a step, as shares of the own one. */
const steps = [0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2]

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : mean([...values])
