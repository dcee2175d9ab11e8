import type { Fields } from '../import/record.ts'

/**
 * A question to a search that answers samples: the offers of a GPU name on a range of machine ids. A machine has all of its offers in one question, and stays
 * in it while its price and its rentals change.
 */
export interface Cell {
  gpu_name: string
  /** A range of machine ids: at least `machine_from`, below `machine_to`. null: no limit */
  machine_from: number
  machine_to: number | null
  /** Offers of the newest whole answer. */
  offers: number
  /** The slot of the newest whole answer. 0: there was none. */
  asked: number
  /** False: the search cuts the answer, and the question cannot be split. */
  is_whole: boolean
  /** True: the newest answer had less than half of the known machines, and was not believed. */
  is_doubted: boolean
}

/** The question about all offers of a GPU name. */
export const wholeName = (gpu_name: string): Cell => ({
  gpu_name,
  machine_from: 0,
  machine_to: null,
  offers: 0,
  asked: 0,
  is_whole: true,
  is_doubted: false,
})

export const machineIdOf = ({ machine_id }: Fields): number => Number(machine_id)

/** Answers true for an offer that a whole answer to the question has. */
export function isInCell(cell: Cell, offer: Fields): boolean {
  const machine = machineIdOf(offer)
  return (
    offer.gpu_name === cell.gpu_name &&
    machine >= cell.machine_from &&
    machine < (cell.machine_to ?? Number.POSITIVE_INFINITY)
  )
}

/** The filters of the question, in the form of a Vast-style search. */
export function filtersOf({ gpu_name, machine_from, machine_to }: Cell) {
  const range = {
    ...(machine_from > 0 && { gte: machine_from }),
    ...(machine_to !== null && { lt: machine_to }),
  }
  const isLimited = Object.keys(range).length > 0
  return { gpu_name: { eq: gpu_name }, ...(isLimited && { machine_id: range }) }
}

/** Two questions that have the offers of this one between them. Undefined: all of these offers are of one machine. */
export function splitCell(cell: Cell, offers: readonly Fields[]): [Cell, Cell] | undefined {
  const middle = middleMachine(offers)
  return middle === undefined
    ? undefined
    : [
        { ...cell, machine_to: middle },
        { ...cell, machine_from: middle },
      ]
}

/** The machine id nearest to the median of these offers that has smaller ones. */
export function middleMachine(offers: readonly Fields[]): number | undefined {
  const sorted = offers
    .map(machineIdOf)
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const [least] = sorted
  const median = sorted[Math.floor(sorted.length / 2)]
  return median === least ? sorted.find((id) => id !== least) : median
}

/** Two neighbors with fewer offers than this are requested together. */
const fewOffers = 38

/** Joins neighboring ranges of machines that have become small. */
export function joinCells(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = []
  for (const cell of cells.toSorted(inOrder)) {
    const last = joined.at(-1)
    if (last && areNeighbors(last, cell) && last.offers + cell.offers < fewOffers)
      joined[joined.length - 1] = {
        ...last,
        machine_to: cell.machine_to,
        offers: last.offers + cell.offers,
        asked: Math.min(last.asked, cell.asked),
      }
    else joined.push(cell)
  }
  return joined
}

const inOrder = (a: Cell, b: Cell) =>
  a.gpu_name === b.gpu_name ? a.machine_from - b.machine_from : a.gpu_name < b.gpu_name ? -1 : 1

const areNeighbors = (a: Cell, b: Cell) =>
  [a, b].every(({ asked, is_whole, is_doubted }) => asked > 0 && is_whole && !is_doubted) &&
  a.gpu_name === b.gpu_name &&
  a.machine_to === b.machine_from
