import { ofProduct } from '../../contract/market-filter.ts'
import { rowsOf } from '../ridge.ts'
import {
  type KnownMachine,
  type KnownProduct,
  knownProduct,
  type MachineFit,
  type MarketFit,
} from './advise.ts'
import type { Book, Books } from './books.ts'
import {
  type CellRow,
  type CountedMachine,
  type CountedMarket,
  machineKey,
  marketOf,
  productKey,
  rigOf,
  type SnapshotRow,
} from './counts.ts'
import type { Uniform } from './draws.ts'
import { type Fit, fitPooled } from './fit.ts'
import { drawShared, type SharedDraws } from './machine-rates.ts'
import { makeBooks } from './made-books.ts'
import { bookDays } from './product.ts'
import { moveAhead } from './repricing.ts'
import type { Steps } from './steps.ts'
import { atOnceIn, type Contracts, contractsOf, termsOf } from './terms.ts'

/** A first snapshot does not show the form of a market: intervals of gains are wider by this share, and by half of it after some contracts. */
const [firstDoubt, halvedAfter] = [0.25, 300]

const doubtAfter = (contracts: number): number => 1 + firstDoubt / (1 + contracts / halvedAfter)

/** A machine at a slot, with its price. */
export interface PresentRow extends SnapshotRow {
  price: number
}

/** Everything that a fit reads. */
export interface MarketCounts {
  /** Days of counts. */
  days: number
  cells: readonly CellRow[]
  /** The first snapshot of these days. */
  first: readonly SnapshotRow[]
  /** The books of products, by productKey. */
  books: ReadonlyMap<string, Books>
  /** The newest snapshot. */
  newest: readonly PresentRow[]
}

/** A product of a fit, with the machines that have counts. */
export interface FittedProduct {
  gpu_name: string
  gpu_memory: number
  /** The index of the product in the fit. */
  product: number
  contracts: number
  books: Books
  machines: { key: string; own: KnownMachine }[]
}

export interface FittedMarket {
  fit: MarketFit
  products: FittedProduct[]
}

/** Fits the rates of all machines of a market. */
export function* fitMarket(
  { days, cells, first, books, newest }: MarketCounts,
  uniform: Uniform,
): Steps<FittedMarket> {
  const counted = yield* marketOf(cells, first)
  const { machines, ...fitted } = yield* fitPooled(yield* termsOf(counted.market))
  const contracts = contractsOf(counted.market)
  const fit = {
    ...fitted,
    days,
    move: moveAhead(
      Array.from(books.values(), (of) => of.books),
      days,
    ),
    atOnce: atOnceIn(counted.market),
    doubt: doubtAfter(contracts.all),
  }
  const ownOf = machinesOf(counted, machines, contracts)
  const present = rowsOf(newest.map(productKey))
  const products: FittedProduct[] = []
  for (const [key, product] of counted.products) {
    yield
    const [memory = '', ...name] = key.split(' ')
    const seen = books.get(key) ?? { books: [], median: 0 }
    products.push({
      gpu_name: name.join(' '),
      gpu_memory: Number(memory),
      product,
      contracts: contracts.products.get(product) ?? 0,
      books: booksAhead(seen, {
        fit,
        present: (present.get(key) ?? []).flatMap((row) => newest[row] ?? []),
        product,
        uniform,
      }),
      machines: ownOf.get(product) ?? [],
    })
  }
  return { fit, products }
}

/** In this many days the weight of a book falls to a half. */
const halfLife = 1.4

/** Books of the next days: new ones have the most weight, and made ones show what else may be on offer. */
function booksAhead(
  { books, median }: Books,
  {
    fit,
    present,
    product,
    uniform,
  }: { fit: MarketFit; present: readonly PresentRow[]; product: number; uniform: Uniform },
): Books {
  const blocks = 1 + Math.max(-1, ...books.map(({ block }) => block))
  const daysOfBlock = Math.min(bookDays, fit.days) / blocks
  const recent = books.map((book): Book => {
    const age = (blocks - 1 - book.block) * daysOfBlock
    return { ...book, weight: book.weight * 0.5 ** (age / halfLife) }
  })
  const rigs = present.map((row) => ({ ...row, rig: rigOf(row, product) }))
  return { books: [...recent, ...makeBooks(rigs, { ...fit, uniform, firstBlock: blocks })], median }
}

/** The effects and contracts of the machines that have any, by the index of their product. */
function machinesOf(
  { machines, market }: CountedMarket,
  effects: Fit['machines'],
  contracts: Contracts,
): Map<number, FittedProduct['machines']> {
  const found = new Map<number, FittedProduct['machines']>()
  for (const [key, index] of machines) {
    const effect = effects.get(index)
    const product = market.machines[index]?.product
    if (!effect || product === undefined) continue
    const own = { ...effect, contracts: contracts.machines.get(index) ?? 0 }
    const ofProduct = found.get(product) ?? []
    found.set(product, ofProduct)
    ofProduct.push({ key, own })
  }
  return found
}

/** Finds a machine among products of a fit; null: none of them is its product. */
export type FindMachine = (machine: CountedMachine, products: readonly FittedProduct[]) => MachineFit | null

/** Draws that are not of a single machine. */
const [sharedDraws, productDraws] = [-1, -2]

/**
 * Finds the fit of a machine. The draws of a product are made when its first machine is found, and kept. `uniform` draws numbers of a machine, by its
 * id, or of all machines.
 */
export function openFit(fit: MarketFit, uniform: (of: number) => Uniform): FindMachine {
  const opened = new WeakMap<FittedProduct, { product: KnownProduct; machines: Map<string, KnownMachine> }>()
  let shared: SharedDraws | undefined
  return (machine, products) => {
    const [found] = ofProduct(
      machine,
      products.filter(({ gpu_name }) => gpu_name === machine.gpu_name),
    )
    if (!found) return null
    shared ??= drawShared(fit, uniform(sharedDraws))
    const known = opened.get(found) ?? {
      product: knownProduct(fit, { ...found, shared, uniform: uniform(productDraws - found.product) }),
      machines: new Map(found.machines.map(({ key, own }) => [key, own])),
    }
    opened.set(found, known)
    return {
      product: known.product,
      rig: rigOf(machine, found.product),
      own: known.machines.get(machineKey(machine)),
      uniform: () => uniform(machine.id),
    }
  }
}
