import { type CostField, type Costs, costFields, costWords } from '../contract/cost-fields.ts'
import { exactly } from '../contract/money.ts'
import { type KnownCosts, marginOf } from './costs.ts'

// Without zod: the page imports this, too.

/** The highest usual values. A higher value must be confirmed, since a decimal point may be missing. */
const usual: Partial<Record<CostField, number>> = {
  kwh_price: 1,
  fee_percent: 50,
  other_per_month: 10_000,
  purchase_price: 1_000_000,
}
/** The largest boards take 1,800 W, including the rest of their machine. */
const usualWattsOfGpu = 2000
/** A floor of more than this many times the price is questioned. */
const usualTimes = 2

const usd = exactly(4)

/** A machine that costs are entered for, with its costs before and after. */
export interface CostedMachine {
  id: number
  num_gpus: number
  /** The present asking price, USD per GPU-hour; null: none. */
  price: number | null
  before: KnownCosts
  now: KnownCosts
}

interface Entered {
  /** The values of the same form that were entered before. */
  before: Costs | undefined
  now: Costs
  machines: readonly CostedMachine[]
}

/**
 * Phrases that name unusual values; empty: there are none. Unchanged values and an unchanged floor are not reported again.
 */
export const unusualCosts = (entered: Entered): string[] => [
  ...unusualValues(entered),
  ...unusualWatts(entered),
  ...unusualFloor(entered),
]

const isNew = ({ before, now }: Entered, field: CostField) => now[field] !== (before?.[field] ?? null)

const unusualValues = (entered: Entered): string[] =>
  costFields.flatMap((field) => {
    const [most, value] = [usual[field], entered.now[field]]
    if (most === undefined || value === null || value <= most || !isNew(entered, field)) return []
    return `${field} is ${value}, and usually at most ${most} ${costWords[field][1]}`
  })

function unusualWatts(entered: Entered): string[] {
  const watts = entered.now.watts_load
  const gpus = entered.machines.reduce((most, { num_gpus }) => Math.max(most, num_gpus), 0)
  if (watts === null || gpus === 0 || watts <= usualWattsOfGpu * gpus || !isNew(entered, 'watts_load'))
    return []
  return [`watts_load is ${watts}, and usually at most ${usualWattsOfGpu} W for each of ${gpus} GPUs`]
}

function unusualFloor({ machines }: Entered): string[] {
  const floors = machines.flatMap(({ id, num_gpus, price, before, now }) => {
    const floor = marginOf(now, num_gpus)?.floor ?? null
    if (price === null || floor === null || floor <= usualTimes * price) return []
    return floor === marginOf(before, num_gpus)?.floor ? [] : [{ id, price, floor, times: floor / price }]
  })
  const [worst] = floors.toSorted((one, other) => other.times - one.times)
  if (!worst) return []
  const { id, price, floor, times } = worst
  const others = floors.length > 1 ? `, and ${floors.length - 1} more are above twice their price` : ''
  return [
    `the floor of machine ${id} would be ${usd(floor)}, ${Number(times.toPrecision(3))} times its price of ${usd(price)}${others}`,
  ]
}
