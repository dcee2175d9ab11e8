import { type MachineClass, widenedNames } from '../../../contract/market-filter.ts'
import { positions } from '../../../estimates/fill-rate.ts'
import { overdispersionOf } from '../../../estimates/overdispersion.ts'
import {
  type ClassFlow,
  type Compared,
  type Factors,
  likeOthers,
  pulledRatio,
  rentals,
  returns,
} from './compared.ts'

/** Rental rates over the GPUs of all names. */
export interface MarketRates {
  /** Rentals per GPU-hour, by position. */
  rates: readonly number[]
  factorsOf(of: MachineClass): Factors
}

/** A size of memory does not describe a machine without its GPU name, so a class of all names has none. */
const classKey = (of: MachineClass): string => widenedNames.map((name) => of[name]).join()

const factor = (compared: Compared) => pulledRatio(compared, overdispersionOf(compared))
const rateOf = ({ events, expected }: Compared) => (expected > 0 ? events / expected : 0)

// Each round makes the remaining error several times smaller.
const rounds = 10

/**
 * Splits the flows of all GPU names together into a rate for each position and factors for each class: rigs of some classes are
 * rented sooner at any position, and are offered at other positions. Both are fitted in turns (iterative proportional fitting).
 */
export function rateMarket(flows: readonly ClassFlow[]): MarketRates {
  const ones = Array.from({ length: positions }, () => 1)
  const atPosition = ones.map((_, position) => flows.filter((row) => row.position === position))
  const returnRate = rateOf(returns(flows, 1, likeOthers))
  const classes = [...new Set(flows.map(classKey))].map((key) => {
    const rows = flows.filter((row) => classKey(row) === key)
    return { key, rows, returned: factor(returns(rows, returnRate, likeOthers)) }
  })
  let factors = new Map<string, Factors>()
  let rates: number[] = []
  const factorsOf = (of: MachineClass) => factors.get(classKey(of)) ?? likeOthers()
  for (let round = 0; round < rounds; round += 1) {
    rates = atPosition.map((rows) => rateOf(rentals(rows, ones, factorsOf)))
    factors = new Map(
      classes.map(({ key, rows, returned }) => [
        key,
        { rented: factor(rentals(rows, rates, likeOthers)), returned },
      ]),
    )
  }
  return { rates, factorsOf }
}
