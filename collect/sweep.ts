import { hour } from '../contract/durations.ts'
import type { Fields } from '../import/record.ts'
import { type Cell, filtersOf, isInCell, joinCells, splitCell, wholeName } from './cells.ts'
import { SourceError } from './source-error.ts'

/** A machine as it was seen last: all of its offers, of one answer. */
export interface KnownMachine {
  offers: Fields[]
  /** The slot at which it was last seen. */
  seen: number
  /** The number of whole answers since then that lacked the machine although they should contain it. */
  missed: number
}

/** An offer that states the GPU name and the id of a machine. */
const firstOffer = ({ offers }: KnownMachine): Fields => offers[0] ?? {}

/** The machines that earlier slots have seen of a market whose search answers samples. */
export interface Picture {
  /** The machines by the key of their id. */
  machines: Map<string, KnownMachine>
  cells: Cell[]
}

export interface SweepOptions {
  slot: number
  /** Searches that may be sent. */
  calls: number
  /** An answer with fewer offers is whole. */
  wholeBelow: number
  /** GPU names of which the market may have offers. */
  names: readonly string[]
  /** Answers true for an offer of an own machine. Own machines are requested at each slot, and all offers of their GPU names if the budget allows. */
  isOwn(offer: Fields): boolean
  /** Sends a search. Undefined: no further search may be sent in this slot. */
  ask(cell: Cell): Promise<Fields[] | undefined>
}

/** A machine counts as gone after it was missing in two answers that should contain it. */
const mostMissed = 2
/** Seconds for which a machine is carried without a sight of it. */
export const longestCarried = 6 * hour
/** A query without offers is repeated only after the others are this much older. */
const emptyPause = hour
/** From this number of known machines in a query on, an answer with less than half of them must be repeated to count. */
const manyMachines = 8
const mostForeign = 1 / 10

/** Sends as many queries as the budget allows, and updates the picture with the answers. */
export async function sweep(picture: Picture, options: SweepOptions): Promise<void> {
  const { slot, calls, ask, names } = options
  const known = new Set(picture.cells.map(({ gpu_name }) => gpu_name))
  for (const name of new Set(names)) if (!known.has(name)) picture.cells.push(wholeName(name))
  const queue = inTurn(picture, options)
  for (let sent = 0; sent < calls; sent += 1) {
    const cell = queue.shift()
    const answer = cell && (await ask(cell))
    if (!cell || !answer) break
    const offers = ofCell(cell, answer)
    if (answer.length < options.wholeBelow) takeWhole(picture, cell, { slot, offers })
    // The parts are next, so that a sweep that ends early has whole parts.
    else queue.unshift(...takeCut(picture, cell, { slot, offers }))
  }
  for (const [key, { seen }] of picture.machines)
    if (seen < slot - longestCarried) picture.machines.delete(key)
  picture.cells = joinCells(picture.cells)
}

/** The queries in the order in which they are sent: of own machines, of own names, of the busiest names, and then the one that has waited longest. */
function inTurn({ cells, machines }: Picture, { calls, isOwn }: SweepOptions): Cell[] {
  const own = [...machines.values()].map(firstOffer).filter(isOwn)
  const byAge = cells.toSorted((a, b) => dueAt(a) - dueAt(b))
  const byName = cellsByName(byAge)
  const first = byAge.filter((cell) => own.some((offer) => isInCell(cell, offer))).slice(0, calls / 3)
  const add = (names: Iterable<string>, most: number) => {
    for (const name of names) {
      const more = (byName.get(name) ?? []).filter((cell) => !first.includes(cell))
      if (first.length + more.length > most) continue
      first.push(...more)
      byName.delete(name)
    }
  }
  add(new Set(own.map(({ gpu_name }) => String(gpu_name))), calls / 3)
  const offersOf = (of: readonly Cell[]) => of.reduce((sum, { offers }) => sum + offers, 0)
  const isSwept = (of: readonly Cell[]) => of.every(({ asked }) => asked > 0)
  const busiest = [...byName]
    .filter(([, of]) => isSwept(of))
    .sort(([, a], [, b]) => offersOf(b) - offersOf(a))
  add(
    busiest.map(([name]) => name),
    first.length + calls / 6,
  )
  const chosen = new Set(first)
  return [...first, ...byAge.filter((cell) => !chosen.has(cell))]
}

export function cellsByName(cells: readonly Cell[]): Map<string, Cell[]> {
  const byName = new Map<string, Cell[]>()
  for (const cell of cells) byName.set(cell.gpu_name, [...(byName.get(cell.gpu_name) ?? []), cell])
  return byName
}

const dueAt = ({ asked, offers }: Cell) => (asked > 0 && offers === 0 ? asked + emptyPause : asked)

/** The offers that match the query. A search that ignores the question throws SourceError. */
function ofCell(cell: Cell, answer: readonly Fields[]): Fields[] {
  const found = answer.filter((offer) => isInCell(cell, offer))
  const foreign = answer.length - found.length
  if (foreign > answer.length * mostForeign)
    throw new SourceError(
      `The search ignores its filters: ${foreign} of ${answer.length} offers are of other GPUs or machines than ${JSON.stringify(filtersOf(cell))}. The market cannot be seen as a whole.`,
    )
  return found
}

/** An id of a stranger as a key, in printable characters. */
export const keyOf = (id: unknown): string => JSON.stringify(id ?? null)

export const offerId = ({ id }: Fields): string => keyOf(id)

/** Offers by machine. */
export function machinesOf(offers: Iterable<Fields>): Map<string, Fields[]> {
  const machines = new Map<string, Fields[]>()
  for (const offer of offers) {
    const key = keyOf(offer.machine_id)
    machines.set(key, [...(machines.get(key) ?? []), offer])
  }
  return machines
}

interface Sight {
  slot: number
  offers: readonly Fields[]
}

/** A whole answer: a machine that it does not have has left the market. */
function takeWhole({ machines: known }: Picture, cell: Cell, { slot, offers }: Sight): void {
  const expected = [...known].filter(([, machine]) => isInCell(cell, firstOffer(machine)))
  const found = machinesOf(offers)
  for (const [key, chunks] of found) known.set(key, { offers: chunks, seen: slot, missed: 0 })
  const missing = expected.filter(([key]) => !found.has(key))
  cell.is_doubted =
    !cell.is_doubted && expected.length >= manyMachines && missing.length > expected.length / 2
  if (cell.is_doubted) return
  for (const [key, machine] of missing) {
    machine.missed += 1
    if (machine.missed >= mostMissed) known.delete(key)
  }
  Object.assign(cell, { offers: offers.length, asked: slot, is_whole: true })
}

/**
 * A cut answer may lack offers of any machine, so it only shows where to split. The question is replaced by smaller ones, which are returned. They inherit the
 * slot at which all of them were seen.
 */
function takeCut(picture: Picture, cell: Cell, { slot, offers }: Sight): Cell[] {
  const parts = splitCell(cell, offers)
  if (!parts) {
    Object.assign(cell, { offers: offers.length, asked: slot, is_whole: false })
    return []
  }
  picture.cells.splice(picture.cells.indexOf(cell), 1, ...parts)
  return parts
}
