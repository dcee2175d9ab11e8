import { ofProduct } from '../../contract/market-filter.ts'
import {
  type KnownMachine,
  type KnownProduct,
  knownProduct,
  type MachineFit,
  type MarketFit,
} from './advise.ts'
import type { Books } from './books.ts'
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
import { makeBooks } from './made-books.ts'
import { youngDays } from './product.ts'
import { atOnceIn, type Contracts, contractsOf, termsOf } from './terms.ts'

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
export function fitMarket(
  { days, cells, first, books, newest }: MarketCounts,
  uniform: Uniform,
): FittedMarket {
  const counted = marketOf(cells, first)
  const { machines, ...fitted } = fitPooled(termsOf(counted.market))
  const fit = { ...fitted, days, atOnce: atOnceIn(counted.market) }
  const contracts = contractsOf(counted.market)
  const ownOf = machinesOf(counted, machines, contracts)
  const products = [...counted.products].map(([key, product]): FittedProduct => {
    const [memory = '', ...name] = key.split(' ')
    const of = { gpu_name: name.join(' '), gpu_memory: Number(memory) }
    const seen = books.get(key) ?? { books: [], median: 0 }
    const present = newest.filter((row) => productKey(row) === key)
    return {
      ...of,
      product,
      contracts: contracts.products.get(product) ?? 0,
      books: days < youngDays ? withMade(seen, { fit, present, product, uniform }) : seen,
      machines: ownOf.get(product) ?? [],
    }
  })
  return { fit, products }
}

/** Adds made books. */
function withMade(
  seen: Books,
  {
    fit,
    present,
    product,
    uniform,
  }: { fit: MarketFit; present: readonly PresentRow[]; product: number; uniform: Uniform },
): Books {
  const firstBlock = 1 + Math.max(-1, ...seen.books.map(({ block }) => block))
  const rigs = present.map((row) => ({ ...row, rig: rigOf(row, product) }))
  return { ...seen, books: [...seen.books, ...makeBooks(rigs, { ...fit, uniform, firstBlock })] }
}

/** The machines with counts, by product. */
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
    found.set(product, [...(found.get(product) ?? []), { key, own }])
  }
  return found
}

/** Finds machines in a fit; null: the fit does not have the product. */
export function openFit(
  { fit, products }: FittedMarket,
  uniform: () => Uniform,
): (machine: CountedMachine) => MachineFit | null {
  const loaded = new Map<FittedProduct, { product: KnownProduct; machines: Map<string, KnownMachine> }>()
  return (machine) => {
    const [found] = ofProduct(
      machine,
      products.filter(({ gpu_name }) => gpu_name === machine.gpu_name),
    )
    if (!found) return null
    const known = loaded.get(found) ?? {
      product: knownProduct(fit, { ...found, uniform: uniform() }),
      machines: new Map(found.machines.map(({ key, own }) => [key, own])),
    }
    loaded.set(found, known)
    return {
      product: known.product,
      rig: rigOf(machine, found.product),
      own: known.machines.get(machineKey(machine)),
    }
  }
}
