import { hour } from '../contract/durations.ts'
import type { Fields } from '../import/record.ts'
import { type Cell, isInCell, joinCells, splitCell, wholeName } from './cells.ts'
import { SourceError } from './source-error.ts'

/** An offer as it was seen last. */
export interface KnownOffer {
  fields: Fields
  /** The slots of its first and its newest sight. */
  since: number
  seen: number
  /** Whole answers since then that should have had it. */
  missed: number
}

/** The offers that earlier slots have seen of a market whose search answers samples. */
export interface Picture {
  /** By the offer's id. */
  offers: Map<string, KnownOffer>
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
  /** GPU names of own machines, which are asked for in each slot where they fit. */
  ownNames: readonly string[]
  /** Sends a search. Undefined: no further search may be sent in this slot. */
  ask(cell: Cell): Promise<Fields[] | undefined>
}

/** An offer is gone after it was missing twice where it should have been: in between, every other question was asked, so it has not moved to one of them. */
const mostMissed = 2
/** Seconds for which an offer is carried without a sight of it. */
export const longestCarried = 6 * hour
/** A question without offers is asked again after the others are this much older. */
const emptyPause = hour
/** Known offers of a question from which on an answer with less than half of them must come twice. */
const manyOffers = 8
const mostForeign = 1 / 10

/** Asks as many of the questions as the budget allows, and changes the picture to what they answer. */
export async function sweep(picture: Picture, options: SweepOptions): Promise<void> {
  const { slot, calls, ask, names } = options
  const known = new Set(picture.cells.map(({ gpu_name }) => gpu_name))
  for (const name of new Set(names)) if (!known.has(name)) picture.cells.push(wholeName(name))
  const queue = inTurn(picture.cells, options)
  for (let sent = 0; sent < calls; sent += 1) {
    const cell = queue.shift()
    const answer = cell && (await ask(cell))
    if (!cell || !answer) break
    const offers = ofCell(cell, answer)
    for (const offer of offers) remember(picture, offer, slot)
    if (answer.length < options.wholeBelow) takeWhole(picture, cell, { slot, offers })
    else queue.push(...takeCut(picture, cell, slot))
  }
  for (const [id, { seen }] of picture.offers) if (seen < slot - longestCarried) picture.offers.delete(id)
  picture.cells = joinCells(picture.cells)
}

/** The questions in the order in which they are asked: of own names, of the busiest names, and then the one that has waited longest. */
function inTurn(cells: readonly Cell[], { calls, ownNames }: SweepOptions): Cell[] {
  const byAge = cells.toSorted((a, b) => dueAt(a) - dueAt(b))
  const byName = cellsByName(byAge)
  const first: Cell[] = []
  const add = (names: readonly string[], most: number) => {
    for (const name of names) {
      const more = byName.get(name) ?? []
      if (first.length + more.length > most) continue
      first.push(...more)
      byName.delete(name)
    }
  }
  add(ownNames, calls / 3)
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

/** The offers that were asked for. A search that ignores the question throws SourceError. */
function ofCell(cell: Cell, answer: readonly Fields[]): Fields[] {
  const named = answer.filter(({ gpu_name }) => gpu_name === cell.gpu_name)
  if (answer.length - named.length > answer.length * mostForeign)
    throw new SourceError(
      `The search ignores its filters: it was asked for ${cell.gpu_name}, and ${answer.length - named.length} of ${answer.length} offers are of other GPUs. The market cannot be seen as a whole.`,
    )
  return named
}

/** An id of a stranger as a key, in printable characters. */
export const keyOf = (id: unknown): string => JSON.stringify(id ?? null)

export const offerId = ({ id }: Fields): string => keyOf(id)

function remember({ offers }: Picture, fields: Fields, slot: number): void {
  const id = offerId(fields)
  offers.set(id, { fields, since: offers.get(id)?.since ?? slot, seen: slot, missed: 0 })
}

/** A whole answer: what it does not have has left the question. */
function takeWhole(
  { offers: known }: Picture,
  cell: Cell,
  { slot, offers }: { slot: number; offers: readonly Fields[] },
): void {
  const there = new Set(offers.map(offerId))
  const expected = [...known].filter(([, { fields }]) => isInCell(cell, fields))
  const missing = expected.filter(([id]) => !there.has(id))
  cell.is_doubted = !cell.is_doubted && expected.length >= manyOffers && missing.length > expected.length / 2
  if (cell.is_doubted) return
  for (const [id, offer] of missing) {
    offer.missed += 1
    if (offer.missed >= mostMissed) known.delete(id)
  }
  Object.assign(cell, { offers: there.size, asked: slot, is_whole: true })
}

/** A cut answer: the question is replaced by smaller ones, which are returned. They inherit the slot at which all of them were seen. */
function takeCut(picture: Picture, cell: Cell, slot: number): Cell[] {
  const offers = [...picture.offers.values()].flatMap(({ fields }) =>
    isInCell(cell, fields) ? [fields] : [],
  )
  const parts = splitCell(cell, offers)
  if (!parts) {
    Object.assign(cell, { offers: offers.length, asked: slot, is_whole: false })
    return []
  }
  picture.cells.splice(picture.cells.indexOf(cell), 1, ...parts)
  return parts
}
