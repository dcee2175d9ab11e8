import type { Fields } from '../import/record.ts'

/** A question to a search that answers samples: the offers of a GPU name in a range of prices and, where prices do not separate them, of GPUs and tiers. */
export interface Cell {
  gpu_name: string
  /** USD per hour for the offer's GPUs with the usual storage (`dph_total`): at least `price_from`, below `price_to`. null: no limit */
  price_from: number
  price_to: number | null
  gpus_from: number
  gpus_to: number | null
  tier: Tier | null
  /** Offers of the newest whole answer. */
  offers: number
  /** The slot of the newest whole answer. 0: there was none. */
  asked: number
  /** False: the search cuts the answer, and the question cannot be split. */
  is_whole: boolean
  /** True: the newest answer had less than half of the known offers, and was not believed. */
  is_doubted: boolean
}

const tiers = ['verified', 'deverified', 'unverified'] as const
/** Tiers of hosts. A tier that is not known counts as the last one. */
type Tier = (typeof tiers)[number]

/** The question about all offers of a GPU name. */
export const wholeName = (gpu_name: string): Cell => ({
  gpu_name,
  price_from: 0,
  price_to: null,
  gpus_from: 1,
  gpus_to: null,
  tier: null,
  offers: 0,
  asked: 0,
  is_whole: true,
  is_doubted: false,
})

const tierOf = ({ verification }: Fields): Tier => tiers.find((tier) => tier === verification) ?? 'unverified'
/** The price by which a search is asked for offers. */
export const priceOf = ({ dph_total, dph_base }: Fields): number => Number(dph_total ?? dph_base)

/** Answers true for an offer that a whole answer to the question has. */
export function isInCell(cell: Cell, offer: Fields): boolean {
  const price = priceOf(offer)
  const gpus = Number(offer.num_gpus)
  return (
    offer.gpu_name === cell.gpu_name &&
    price >= cell.price_from &&
    price < (cell.price_to ?? Number.POSITIVE_INFINITY) &&
    gpus >= cell.gpus_from &&
    gpus < (cell.gpus_to ?? Number.POSITIVE_INFINITY) &&
    (cell.tier === null || cell.tier === tierOf(offer))
  )
}

/** The filters of the question, in the form of a Vast-style search. */
export const filtersOf = (cell: Cell) => ({
  gpu_name: { eq: cell.gpu_name },
  ...rangeFilter('dph_total', cell.price_from, cell.price_to, 0),
  ...rangeFilter('num_gpus', cell.gpus_from, cell.gpus_to, 1),
  ...(cell.tier && { verification: tierFilter(cell.tier) }),
})

function rangeFilter(field: string, from: number, to: number | null, least: number) {
  const range = { ...(from > least && { gte: from }), ...(to !== null && { lt: to }) }
  return Object.keys(range).length > 0 ? { [field]: range } : {}
}

const tierFilter = (tier: Tier) =>
  tier === 'unverified' ? { notin: tiers.filter((other) => other !== tier) } : { eq: tier }

/** Two or more questions that have the offers of this one between them. Undefined: the known offers do not differ in anything that can be asked for. */
export function splitCell(cell: Cell, offers: readonly Fields[]): Cell[] | undefined {
  const price = middleOf(offers.map(priceOf))
  if (price !== undefined)
    return [
      { ...cell, price_to: price },
      { ...cell, price_from: price },
    ]
  const gpus = middleOf(offers.map(({ num_gpus }) => Number(num_gpus)))
  if (gpus !== undefined)
    return [
      { ...cell, gpus_to: gpus },
      { ...cell, gpus_from: gpus },
    ]
  return cell.tier === null ? tiers.map((tier) => ({ ...cell, tier })) : undefined
}

/** The value nearest to the median that has values below it. */
function middleOf(values: readonly number[]): number | undefined {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [least] = sorted
  const median = sorted[Math.floor(sorted.length / 2)]
  return median === least ? sorted.find((value) => value !== least) : median
}

/** Two neighbors with fewer offers than this are asked for together. */
const fewOffers = 30

/** Joins neighboring ranges of prices that have become small. */
export function joinCells(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = []
  for (const cell of cells.toSorted(inOrder)) {
    const last = joined.at(-1)
    if (last && areNeighbors(last, cell) && last.offers + cell.offers < fewOffers)
      joined[joined.length - 1] = {
        ...last,
        price_to: cell.price_to,
        offers: last.offers + cell.offers,
        asked: Math.min(last.asked, cell.asked),
      }
    else joined.push(cell)
  }
  return joined
}

const partOf = ({ gpu_name, gpus_from, gpus_to, tier }: Cell) =>
  JSON.stringify([gpu_name, gpus_from, gpus_to, tier])

const inOrder = (a: Cell, b: Cell) => {
  const [left, right] = [partOf(a), partOf(b)]
  return left === right ? a.price_from - b.price_from : left < right ? -1 : 1
}

const areNeighbors = (a: Cell, b: Cell) =>
  [a, b].every(({ asked, is_whole, is_doubted }) => asked > 0 && is_whole && !is_doubted) &&
  partOf(a) === partOf(b) &&
  a.price_to === b.price_from
