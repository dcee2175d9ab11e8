import type { Margin } from '../costs.ts'
import type { Estimate } from '../fill-rate.ts'
import { drawnMachine, type MachineFit, type PooledAdvice } from './advise.ts'
import type { OpenBook } from './books.ts'
import { certainty, estimateOf, widened } from './decide.ts'
import { drawCount, meanOf, quantileOf } from './draws.ts'
import type { Machine, ProductDraws } from './incomes.ts'
import { addTimes, at } from './matrix.ts'
import { incomeAt } from './prospects.ts'
import type { Steps } from './steps.ts'

/** A listed machine of a fleet, with the advice that holds if no other machine of the fleet changes its price. */
export interface FleetMachine {
  id: number
  price: number
  fit: MachineFit
  margin: Margin | null
  advice: PooledAdvice
}

/** The changes of the prices of a fleet's machines of one product. */
export interface FleetPlan {
  /** Machines that keep their price, because a lower one would take as much from others of the fleet. */
  held: ReadonlySet<number>
  /** Draws of the daily gain of all changes together, USD; null: there is no change. */
  gains: Float64Array | null
  /** The part of the mean gain that the changes cause at other machines of the fleet. */
  effect: number
}

/** The most groups of lower prices that are judged one by one, and the most machines whose losses are computed for a group. */
const mostGroups = 8
const mostLosers = 24

/** Machines whose draws are kept during a plan: one has up to 0.2 MB. */
const mostDrawn = 200

/** New prices ÷ present ones, by machine. */
type Moves = ReadonlyMap<number, number>

/**
 * Plans the prices of a fleet's machines of one product together: renters of one machine may come from another. In a large fleet lower
 * prices are judged in groups, and the losses of other machines by a sample, so that the cost grows with the number of machines.
 */
export function* planFleet(machines: readonly FleetMachine[]): Steps<FleetPlan> {
  let moves: Moves = new Map(machines.flatMap(moveOf))
  const held = new Set<number>()
  const incomes = openIncomes(machines)
  // A raise never takes renters from another machine.
  const lowered = machines
    .filter(({ id }) => (moves.get(id) ?? 1) < 1)
    .sort((one, other) => gainOf(one) - gainOf(other))
  const size = Math.ceil(lowered.length / mostGroups)
  for (let from = 0; from < lowered.length; from += size) {
    const group = lowered.slice(from, from + size)
    const ids = new Set(group.map(({ id }) => id))
    const losers = incomes.affectedBy(ids, moves)
    if (losers.length === 0) continue
    const without = new Map([...moves].filter(([id]) => !ids.has(id)))
    const gains = new Float64Array(drawCount)
    yield* incomes.addChanges(gains, group, { moves, without, weight: 1 })
    const sample = everyNth(losers, Math.ceil(losers.length / mostLosers))
    yield* incomes.addChanges(gains, sample, { moves, without, weight: losers.length / sample.length })
    if (isBetter(gains, group)) continue
    for (const id of ids) held.add(id)
    moves = without
  }
  return { held, ...(yield* gainsOf(machines, { moves, incomes })) }
}

const everyNth = <Item>(items: readonly Item[], n: number): Item[] =>
  items.filter((_, index) => index % n === 0)

/** The gain of changes, with its interval: as wide as of single changes. */
export const fleetGain = (draws: Float64Array, doubt: number): Estimate => widened(estimateOf(draws), doubt)

const moveOf = ({ id, price, advice: { decision, draws } }: FleetMachine): [number, number][] =>
  draws?.gains && decision.price !== null ? [[id, decision.price / price]] : []

const gainOf = ({ advice }: FleetMachine): number => advice.decision.gain_per_day?.value ?? 0

/** True if a group of changes earns more. Trials find out, so their mean decides. */
const isBetter = (gains: Float64Array, group: readonly FleetMachine[]): boolean =>
  group.every(({ advice: { decision } }) => decision.verdict === 'try')
    ? meanOf(gains) > 0
    : quantileOf(gains.toSorted(), 1 - certainty) > 0

function* gainsOf(
  machines: readonly FleetMachine[],
  { moves, incomes }: { moves: Moves; incomes: Incomes },
): Steps<Pick<FleetPlan, 'gains' | 'effect'>> {
  if (moves.size === 0) return { gains: null, effect: 0 }
  const gains = new Float64Array(drawCount)
  const effects = new Float64Array(drawCount)
  const isAffected = incomes.openAffected(moves)
  for (const machine of machines) {
    const { draws } = machine.advice
    const alone = moves.has(machine.id) ? draws?.gains : null
    if (alone) addTimes(gains, alone, 1)
    if (!draws || !isAffected(machine)) continue
    yield
    addTimes(effects, incomes.incomeWith(machine, moves), 1)
    addTimes(effects, draws.income, -1)
    if (alone) addTimes(effects, alone, -1)
  }
  addTimes(gains, effects, 1)
  return { gains, effect: meanOf(effects) }
}

type Incomes = ReturnType<typeof openIncomes>

/** Incomes of the machines of one product, in books in which the fleet's offers have moved. */
function openIncomes(machines: readonly FleetMachine[]) {
  const ids = new Set(machines.map(({ id }) => id))
  const [first] = machines
  const books = first?.fit.product.drawn.books ?? []
  const offers = offersOf(books, ids)
  const moved = new Map<Moves, readonly OpenBook[]>()
  const booksAfter = (moves: Moves): readonly OpenBook[] => {
    const found = moved.get(moves) ?? books.map((book) => moveOffers(book, moves))
    moved.set(moves, found)
    return found
  }
  const priceOf = ({ id, price }: FleetMachine, moves: Moves): number => price * (moves.get(id) ?? 1)
  /** The ranges of prices that offers of some machines cross. */
  const crossings = (moves: Moves, by: { has(id: number): boolean }): Crossing[] =>
    offers.flatMap(({ id, price: before }) => {
      const move = moves.get(id)
      return move === undefined || !by.has(id) ? [] : [{ id, before, after: before * move }]
    })
  /** True if an offer of another machine comes to the other side of the machine's price. */
  const isCrossed = (machine: FleetMachine, moves: Moves, by: readonly Crossing[]): boolean => {
    const price = priceOf(machine, moves) / machine.fit.product.drawn.share
    return by.some(({ id, before, after }) => id !== machine.id && before < price !== after < price)
  }
  const drawn = new Map<number, Machine>()
  const drawnOf = (machine: FleetMachine): Machine => {
    const found = drawn.get(machine.id) ?? drawnMachine(machine, machine.fit)
    if (drawn.size >= mostDrawn) drawn.clear()
    drawn.set(machine.id, found)
    return found
  }
  const known = new WeakMap<Moves, Map<number, Float64Array>>()
  const incomeWith = (machine: FleetMachine, moves: Moves): Float64Array => {
    const { id, fit, margin } = machine
    const incomes = known.get(moves) ?? new Map<number, Float64Array>()
    known.set(moves, incomes)
    const product: ProductDraws = { ...fit.product.drawn, books: booksAfter(moves) }
    const income =
      incomes.get(id) ?? incomeAt(drawnOf(machine), product, { price: priceOf(machine, moves), margin })
    incomes.set(id, income)
    return income
  }
  return {
    incomeWith,
    /** Opens the test if the moves change the income of a machine by another one. */
    openAffected(moves: Moves): (machine: FleetMachine) => boolean {
      const all = crossings(moves, moves)
      return (machine) => isCrossed(machine, moves, all)
    },
    /** The other machines whose incomes the moves of some machines change. */
    affectedBy(ids: ReadonlySet<number>, moves: Moves): FleetMachine[] {
      const by = crossings(moves, ids)
      return machines.filter((machine) => !ids.has(machine.id) && isCrossed(machine, moves, by))
    },
    /** Adds what machines earn more with moves than without some of them. */
    *addChanges(
      gains: Float64Array,
      of: readonly FleetMachine[],
      { moves, without, weight }: { moves: Moves; without: Moves; weight: number },
    ): Steps<void> {
      for (const machine of of) {
        yield
        addTimes(gains, incomeWith(machine, moves), weight)
        addTimes(gains, incomeWith(machine, without), -weight)
      }
    },
  }
}

/** The prices between which the offer of a machine moves. */
interface Crossing {
  id: number
  before: number
  after: number
}

/** The offers of some machines in all books. */
const offersOf = (books: readonly OpenBook[], ids: ReadonlySet<number>) =>
  books.flatMap(({ machines, prices }) =>
    machines.flatMap((id, index) => (ids.has(id) ? [{ id, price: at(prices, index) }] : [])),
  )

/** A book after some machines have moved their prices. */
function moveOffers(book: OpenBook, moves: Moves): OpenBook {
  if (!book.machines.some((id) => moves.has(id))) return book
  const offers = book.machines
    .map((id, index) => ({
      id,
      price: at(book.prices, index) * (moves.get(id) ?? 1),
      gpus: at(book.below, index + 1) - at(book.below, index),
    }))
    .sort((one, other) => one.price - other.price)
  const below = new Float64Array(offers.length + 1)
  for (const [index, { gpus }] of offers.entries()) below[index + 1] = at(below, index) + gpus
  return {
    ...book,
    machines: offers.map(({ id }) => id),
    prices: Float64Array.from(offers, ({ price }) => price),
    below,
  }
}
