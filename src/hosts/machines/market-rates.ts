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

/** How fast the GPUs of all names are rented. */
export interface MarketRates {
  /** Rentals per GPU-hour, by position. */
  rates: readonly number[]
  factorsOf(of: MachineClass): Factors
}

/** A size of memory says nothing of a machine without its GPU name, so a class of all names has none. */
const classKey = (of: MachineClass): string => widenedNames.map((name) => of[name]).join()

const factor = (compared: Compared) => pulledRatio(compared, overdispersionOf(compared))
const rateOf = ({ events, expected }: Compared) => (expected > 0 ? events / expected : 0)

// Each makes what is left to fit several times smaller.
const rounds = 10

/**
 * Splits what happened to all GPU names together into a rate of each position and the factors of each class: rigs of some classes are rented
 * sooner at any position, and are not offered at the same ones. Both are fitted in turns (iterative proportional fitting).
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
