import type { MachineClass } from '../../../contract/market-filter.ts'
import { certain, type Estimate, productOf, thinReason } from '../../../estimates/fill-rate.ts'
import { overdispersionOf } from '../../../estimates/overdispersion.ts'
import { type ClassFlow, exposedHours, pulledRatio, ratio, rentals, returns } from './compared.ts'
import type { MarketRates } from './market-rates.ts'

/** The rates of a GPU name, with which its machines are compared. */
export interface NameRates {
  market: MarketRates
  /** The level of the name relative to the market, and its ratio at each position; null: too few data. */
  level: Estimate | null
  places: readonly (Estimate | null)[]
  /** Rental rates by position, for machines without factors. */
  rates: readonly number[]
  returns: Estimate | null
  /** Number of GPUs that are rented, and returned, at once. */
  dispersion: number
  returnedDispersion: number
}

/**
 * The rates of a GPU name relative to the market. A position with too few data of the name is unknown. With `isPulled`, it gets
 * the market's ratio and interval.
 */
export function rateName(flows: readonly ClassFlow[], market: MarketRates, isPulled = false): NameRates {
  const { factorsOf } = market
  const [rented, returned] = [rentals(flows, market.rates, factorsOf), returns(flows, 1, factorsOf)]
  const [dispersion, returnedDispersion] = [overdispersionOf(rented), overdispersionOf(returned)]
  const level = ratio(rented, dispersion)
  const leveled = market.rates.map((rate) => rate * (level?.value ?? 0))
  const places = leveled.map((_, position) => {
    const here = flows.filter((row) => row.position === position)
    const compared = rentals(here, leveled, factorsOf)
    const { events, rows } = isPulled ? { ...rented, rows: flows } : { ...compared, rows: here }
    return thinReason({ events, hours: exposedHours(rows) }) ? null : pulledRatio(compared, dispersion)
  })
  const rates = leveled.map((rate, position) => rate * (places[position]?.value ?? 1))
  return {
    market,
    level,
    places,
    rates,
    returns: ratio(returned, returnedDispersion),
    dispersion,
    returnedDispersion,
  }
}

/**
 * The rates of a machine of a GPU name, from flows of similar machines. Each rate is a product of the market at the position, the
 * machine's class in the market, the level of the name, its position, and the ratio of similar machines.
 */
export function ratesOf(machine: MachineClass, like: readonly ClassFlow[], name: NameRates) {
  const { level, places, market, dispersion, returnedDispersion } = name
  const factors = market.factorsOf(machine)
  const rented = rentals(like, name.rates, market.factorsOf)
  const gpus_at_once = overdispersionOf(rented, dispersion)
  const share = pulledRatio(rented, gpus_at_once)
  const shared = level?.value ? productOf([factors.rented, level, share]) : null
  const fill_rates = market.rates.map((value, position) => {
    const place = places[position]
    return shared && place ? productOf([{ value, low: value, high: value }, shared, place]) : null
  })
  const fill_factor = shared ? aroundOne(shared) : certain
  if (!name.returns?.value) return { fill_rates, fill_factor, gpus_at_once, return_rate: name.returns }
  const returned = returns(like, name.returns.value, market.factorsOf)
  const returnedShare = pulledRatio(returned, overdispersionOf(returned, returnedDispersion))
  return {
    fill_rates,
    fill_factor,
    gpus_at_once,
    return_rate: productOf([factors.returned, name.returns, returnedShare]),
  }
}

const aroundOne = ({ value, low, high }: Estimate): Estimate => ({
  value: 1,
  low: low / value,
  high: high / value,
})
