import type { Margin } from '../costs.ts'
import type { Prospect, Prospects } from './decide.ts'
import { fillRates, type Machine, type ProductDraws, returnRates } from './incomes.ts'
import { at } from './matrix.ts'

/** Prices within a step, as shares of the own price. Rounded, they stay within it. */
const near = [0.801, 0.828, 0.856, 0.885, 0.915, 0.946, 0.978, 1.034, 1.069, 1.105, 1.143, 1.181, 1.199]
/** Prices after further steps. */
const far = [0.5, 0.55, 0.61, 0.67, 0.74, 1.3, 1.45, 1.6, 1.8, 2]
/** A product with fewer GPUs of others on offer is thin: half a step shows enough. */
const fewOthers = 2
const thinStep = 0.11
/** The share of cheaper GPUs above which prices are far apart. */
const dearestShare = 0.9

/** A price as people write it. */
const written = (price: number): number => Number(price.toPrecision(4))

/** Incomes of a machine, and its rates at the own price. */
export interface MachineProspects extends Prospects {
  /** Draws at the own price. */
  fill: readonly number[]
  back: readonly number[]
  /** Share of cheaper GPUs at the own price. */
  share: number
}

/** The incomes of a machine at its own price and at others. */
export function prospectsOf(
  machine: Machine,
  product: ProductDraws,
  margin: Margin | null,
): MachineProspects {
  const prices = [1, ...near, ...far].map((share) =>
    share === 1 ? machine.price : written(share * machine.price),
  )
  const steps = prices.map((price) => Math.log(price / machine.price))
  const { rates, competition } = fillRates(machine, steps, product)
  const back = returnRates(machine)
  const isThin = competition.others < fewOthers
  const all = rates.map(
    ({ price, share, fill, step }): Prospect & { fill: readonly number[]; share: number } => ({
      price: step === 0 ? machine.price : written(price),
      isKnown:
        price >= competition.lowest * (1 - 1e-9) &&
        share <= dearestShare &&
        (!isThin || Math.abs(step) < thinStep),
      income: incomeOf({ price, gpus: machine.gpus, margin }, fill, back),
      fill,
      share,
    }),
  )
  const [own, ...others] = all
  if (!own) throw new RangeError('a machine has its own price')
  return { own, others, margin, fill: own.fill, back, share: own.share }
}

/** Draws of the daily income after power and fee. */
function incomeOf(
  { price, gpus, margin }: { price: number; gpus: number; margin: Margin | null },
  fill: readonly number[],
  back: readonly number[],
): number[] {
  const worth = margin ? margin.kept * price - margin.power : price
  return fill.map((rate, draw) => (24 * gpus * worth * rate) / (rate + at(back, draw)))
}
