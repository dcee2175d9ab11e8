import type { Margin } from '../costs.ts'
import type { Prospect, Prospects } from './decide.ts'
import { farthest } from './effects.ts'
import { type Competition, type Machine, openRates, type ProductDraws } from './incomes.ts'
import { at } from './matrix.ts'

/** Prices within a step, as shares of the own price. Rounded, they stay within it. */
const near = [0.801, 0.828, 0.856, 0.885, 0.915, 0.946, 0.978, 1.034, 1.069, 1.105, 1.143, 1.181, 1.199]
/** Prices after further steps. */
const far = [0.5, 0.55, 0.61, 0.67, 0.74, 1.3, 1.45, 1.6, 1.8, 2]
/** Shares of a book at whose prices a machine may start. */
const starts = Array.from({ length: 17 }, (_, index) => (index + 1) / 20)
/** A product with fewer GPUs of others on offer is thin: half a step shows enough. */
const fewOthers = 2
const thinStep = 0.11
/** The share of cheaper GPUs above which prices are far apart. */
const dearestShare = 0.9

/** A price as people write it. */
const written = (price: number): number => Number(price.toPrecision(4))

/** A prospect with draws of its rentals per free GPU-hour. */
export interface RatedProspect extends Prospect {
  fill: Float64Array
}

export interface RatedProspects extends Prospects {
  own: RatedProspect
  others: readonly RatedProspect[]
}

/** The incomes of a machine at its own price and at others. */
export function prospectsOf(machine: Machine, product: ProductDraws, margin: Margin | null): RatedProspects {
  const prospectAt = openProspects(machine, product, margin)
  const at = (shares: readonly number[]) => shares.map((share) => prospectAt(written(share * machine.price)))
  return { own: prospectAt(machine.price), others: at(near), further: () => at(far), margin }
}

/** Draws of the income of a machine at one price. */
export const incomeAt = (
  machine: Machine,
  product: ProductDraws,
  { price, margin }: { price: number; margin: Margin | null },
): Float64Array => openProspects(machine, product, margin)(price).income

/** The incomes of a machine without a price, at prices of others. */
export function startsOf(machine: Machine, product: ProductDraws, margin: Margin | null): RatedProspect[] {
  const asks = product.books
    .flatMap(({ prices, below }) =>
      Array.from(prices, (price, index) => ({
        price: price * product.share,
        gpus: at(below, index + 1) - at(below, index),
      })),
    )
    .sort((one, other) => one.price - other.price)
  const all = asks.reduce((sum, { gpus }) => sum + gpus, 0)
  const prices = starts.flatMap((share) => {
    let below = 0
    const found = asks.find(({ gpus }) => {
      below += gpus
      return below >= share * all
    })
    return found ? [written(found.price)] : []
  })
  return [...new Set(prices)].map(openProspects(machine, product, margin))
}

function openProspects(machine: Machine, product: ProductDraws, margin: Margin | null) {
  const { competition, back, ratesAt } = openRates(machine, product)
  const dearnessOf = (price: number) => Math.abs(Math.log(price / product.share) - product.median)
  const most = Math.max(farthest, dearnessOf(machine.price))
  return (price: number): RatedProspect => {
    const { share, fill } = ratesAt(price)
    const worth = 24 * machine.gpus * (margin ? margin.kept * price - margin.power : price)
    return {
      price,
      isKnown:
        dearnessOf(price) <= most + 1e-9 &&
        isKnown({ price, step: Math.log(price / machine.price), share }, competition),
      income: incomesOf(worth, { fill, back }),
      fill,
    }
  }
}

function incomesOf(worth: number, { fill, back }: { fill: Float64Array; back: Float64Array }): Float64Array {
  const incomes = new Float64Array(fill.length)
  for (let draw = 0; draw < incomes.length; draw += 1)
    incomes[draw] = (worth * at(fill, draw)) / (at(fill, draw) + at(back, draw))
  return incomes
}

/** True for a price that others ask, and that is not far from the own one where few others do. */
const isKnown = (
  { price, step, share }: { price: number; step: number; share: number },
  { lowest, others }: Competition,
): boolean =>
  price >= lowest * (1 - 1e-9) && share <= dearestShare && (others >= fewOthers || Math.abs(step) < thinStep)
