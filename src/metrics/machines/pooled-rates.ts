import { type Estimate, positions, productOf, rateOf, thinReason } from '../../../contract/fill-rate.ts'

/** A row of machines/class_flows.sql. */
export interface ClassFlow {
  gpu_name: string
  num_gpus: number
  verified: boolean
  hosting_type: string
  position: number
  exposed_seconds: number
  rented_gpus: number
  rented_variance: number
  held_seconds: number
  returned_gpus: number
  returned_variance: number
}

/** A row of machines/market_flows.sql: a price position of all GPU names together. */
export type MarketFlow = Pick<ClassFlow, 'position' | 'exposed_seconds' | 'rented_gpus'>

/** The rates of a GPU name, which those of its machines are compared with. */
export interface NameRates {
  market: readonly number[]
  /** How the name compares with the market, and how it does at each position; null where it has too little. */
  level: Estimate | null
  places: readonly (Estimate | null)[]
  /** Of renting by position. */
  rates: readonly number[]
  returns: Estimate | null
  /** How many GPUs are rented, and come back, at once. */
  clump: number
  returnedClump: number
}

/**
 * How far a group is pulled to the larger one that it belongs to: as if it had so many events more, at the rate of that one. This suits
 * groups that differ by a quarter or so.
 */
const pull = 20

/** Events that were seen, those that the rates of a larger group let expect, and the variance of what was seen. */
interface Compared {
  events: number
  expected: number
  variance: number
}

const total = <Row>(rows: readonly Row[], what: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + what(row), 0)

/**
 * How many GPUs go at once: the variance of the count, from hour to hour, in relation to the count. Those that go together tell as much as
 * one of them. Of few events it is pulled to what is usual.
 */
const clumpOf = ({ events, variance }: Compared, usual?: number): number =>
  Math.max(1, usual ? (variance + pull * usual) / (events + pull) : variance / Math.max(1, events))

const ratio = ({ events, expected }: Compared, clump: number): Estimate | null =>
  rateOf({ events: events / clump, hours: expected / clump })

const pulledRatio = ({ events, expected }: Compared, clump: number): Estimate | null =>
  rateOf({ events: events / clump + pull, hours: expected / clump + pull })

const rentals = (rows: readonly ClassFlow[], rates: readonly number[]): Compared => ({
  events: total(rows, (row) => row.rented_gpus),
  expected: total(rows, (row) => (row.exposed_seconds / 3600) * (rates[row.position] ?? 0)),
  variance: total(rows, (row) => row.rented_variance),
})

const returns = (rows: readonly ClassFlow[], rate: number): Compared => ({
  events: total(rows, (row) => row.returned_gpus),
  expected: total(rows, (row) => row.held_seconds / 3600) * rate,
  variance: total(rows, (row) => row.returned_variance),
})

/** How a GPU name compares with the market. */
export function rateName(flows: readonly ClassFlow[], inMarket: readonly MarketFlow[]): NameRates {
  const market = Array.from({ length: positions }, (_, position) => {
    const here = inMarket.find((row) => row.position === position)
    return here && here.exposed_seconds > 0 ? here.rented_gpus / (here.exposed_seconds / 3600) : 0
  })
  const [rented, returned] = [rentals(flows, market), returns(flows, 1)]
  const [clump, returnedClump] = [clumpOf(rented), clumpOf(returned)]
  const level = ratio(rented, clump)
  const leveled = market.map((rate) => rate * (level?.value ?? 0))
  const places = leveled.map((_, position) => {
    const here = flows.filter((row) => row.position === position)
    const compared = rentals(here, leveled)
    const hours = total(here, (row) => row.exposed_seconds) / 3600
    return thinReason({ events: compared.events, hours }) ? null : pulledRatio(compared, clump)
  })
  const rates = leveled.map((rate, position) => rate * (places[position]?.value ?? 1))
  return { market, level, places, rates, returns: ratio(returned, returnedClump), clump, returnedClump }
}

/**
 * The rates of some machines of a GPU name. Each is the product of what is known best and of how a smaller group compares with it: the market at
 * the position, the level of the name, its place, and how the machines do.
 */
export function ratesOf(own: readonly ClassFlow[], name: NameRates) {
  const { level, places } = name
  const rented = rentals(own, name.rates)
  const share = pulledRatio(rented, clumpOf(rented, name.clump))
  const fill_rates = name.market.map((value, position) => {
    const place = places[position]
    return level?.value && place && share
      ? productOf([{ value, low: value, high: value }, level, place, share])
      : null
  })
  return { fill_rates, return_rate: returnRate(own, name) }
}

function returnRate(
  own: readonly ClassFlow[],
  { returns: level, returnedClump }: NameRates,
): Estimate | null {
  if (!level?.value) return level
  const returned = returns(own, level.value)
  const share = pulledRatio(returned, clumpOf(returned, returnedClump))
  return share && productOf([level, share])
}
