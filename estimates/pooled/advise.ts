import type { Margin } from '../costs.ts'
import type { Estimate } from '../fill-rate.ts'
import type { Book, Books } from './books.ts'
import { type Decision, decide, estimateOf } from './decide.ts'
import { type CommonDraws, drawCommon, type Uniform } from './draws.ts'
import type { PooledRig } from './effects.ts'
import type { Fit, MachineEffect } from './fit.ts'
import type { ProductDraws } from './incomes.ts'
import { dimensions, drawsOf, ratesOf } from './machine-rates.ts'
import { makeBooks, type Present } from './made-books.ts'
import { drawProduct, youngDays } from './product.ts'
import { type MachineProspects, prospectsOf } from './prospects.ts'

/**
 * The source of an estimate: occupancies of the market's first snapshot and rentals of other products, rentals of the product, or rentals
 * of the machine itself.
 */
export const grades = ['first_snapshot', 'class', 'own_results'] as const
export type Grade = (typeof grades)[number]

/** Contracts that make rentals of a product, or of a machine, its source. */
const fewestContracts = 5

/** The fit of a market without its machines, and its age. */
export interface MarketFit extends Omit<Fit, 'machines'> {
  /** Days of counts, at most the window of the fit. */
  days: number
}

/** A product of a fitted market. */
export interface KnownProduct {
  fit: MarketFit
  drawn: ProductDraws
  common: CommonDraws
  /** Contracts that began in the window. */
  contracts: number
}

/** The own effect of a machine, and its contracts. */
export interface KnownMachine extends MachineEffect {
  /** Its contracts that began in the window. */
  contracts: number
}

/** The books of a product, of which a young market has too few. */
export function knownProduct(
  fit: MarketFit,
  {
    books,
    present,
    contracts,
    uniform,
  }: { books: Books; present: readonly Present[]; contracts: number; uniform: Uniform },
): KnownProduct {
  const common = drawCommon(uniform, dimensions)
  const days = Math.min(bookDays, fit.days)
  const seen = books.books.map((book): Book => ({ ...book, weight: book.weight * days }))
  const firstBlock = 1 + Math.max(-1, ...seen.map(({ block }) => block))
  const made = fit.days < youngDays ? makeBooks(present, { ...fit, uniform, firstBlock }) : []
  const drawn = drawProduct({ ...books, books: [...seen, ...made] }, { days: fit.days, common, uniform })
  return { fit, drawn, common, contracts }
}

/** Days of the books. */
export const bookDays = 7

/** A machine with a price. */
export interface PricedMachine {
  id: number
  rig: PooledRig
  price: number
}

/** The incomes of a machine at its price and at others. */
export function prospectsFor(
  { id, rig, price }: PricedMachine,
  product: KnownProduct,
  { own, margin }: { own: KnownMachine | undefined; margin: Margin | null },
): MachineProspects {
  const draws = drawsOf(ratesOf(product.fit, rig, own), product.common.normals)
  return prospectsOf({ id, gpus: rig.gpus, price, draws }, product.drawn, margin)
}

/** The advice on a machine's price, with its source. */
export interface PooledAdvice {
  decision: Decision
  grade: Grade
  /** Daily income at its price, USD. */
  income: Estimate
}

export function adviseOnPrice(
  machine: PricedMachine,
  product: KnownProduct,
  known: { own: KnownMachine | undefined; margin: Margin | null },
): PooledAdvice {
  const prospects = prospectsFor(machine, product, known)
  return {
    decision: decide(prospects),
    grade: gradeOf(known.own?.contracts ?? 0, product.contracts),
    income: estimateOf(prospects.own.income),
  }
}

function gradeOf(ofMachine: number, ofProduct: number): Grade {
  if (ofMachine >= fewestContracts) return 'own_results'
  return ofProduct >= fewestContracts ? 'class' : 'first_snapshot'
}
