import { mean } from 'simple-statistics'
import type { openOracle } from './rental-oracle.ts'

export interface Listed {
  machine_id: number
  gpu_name: string
  num_gpus: number
  gpu_memory: number
  verified: boolean
  hosting_type: string
  ask: number
  /** The machine's part of the mean book: its prices, and its GPUs available at each price, summed over the slots. */
  offered: [number[], number[]]
  /** Share of its GPU-hours that were rented on the days held out, and their income in USD per 30 days. */
  occupancy: number
  earned: number
  /** Mean share of the name's available GPUs that cost less, before and on the days held out. */
  before: number
  after: number
}

/** Mean errors ÷ the errors of price × the occupancy of the market. */
interface Errors {
  /** Error of occupancy, weighted by possible income at the last price. */
  occupancy: number
  /** Error of income in dollars, at the prices of the contracts. */
  dollars: number
}

export interface Forecasts {
  /** Days held out. */
  held: number
  own: Errors
  /** Errors with the simulator's true rental rates at the same positions. */
  ideal: Errors
}

/** Means over some markets. */
export function printIncomes(markets: readonly Forecasts[][]): void {
  for (const { held } of markets[0] ?? []) {
    const found = markets.flat().filter((one) => one.held === held)
    const meanOf = (of: (one: Forecasts) => number) => mean(found.map(of)).toFixed(3)
    console.log(
      `${held} days held out, mean of ${found.length} markets: error ÷ that of the market's occupancy, in dollars earned ${meanOf(({ own }) => own.dollars)} (target 0.70), of occupancy ${meanOf(({ own }) => own.occupancy)} (target 0.61); with the simulator's own rates at the same positions ${meanOf(({ ideal }) => ideal.dollars)} and ${meanOf(({ ideal }) => ideal.occupancy)}`,
    )
  }
}

interface Outcome {
  machine: Listed
  /** Expected occupancy, and the share of the mean book that is cheaper than its last price. */
  expected: { market: number; own: number; outlook: number; share: number }
}

/** Prints the mean errors of several income forecasts. */
export function printErrors(machines: readonly Outcome[], oracle: ReturnType<typeof openOracle>) {
  const ways = {
    'price × occupancy of the market': ({ expected }) => expected.market,
    'its income while its price stands': ({ expected }) => expected.own,
    'its outlook': ({ expected }) => expected.outlook,
    'true rates, at its position in the mean book': ({ machine, expected }) =>
      oracle(machine, expected.share),
    'true rates, positions of the days before': ({ machine }) => oracle(machine, machine.before),
    'true rates, positions of the days held out': ({ machine }) => oracle(machine, machine.after),
  } satisfies Record<string, (one: Outcome) => number>
  const offsOf = (occupancyOf: (one: Outcome) => number): Errors => ({
    occupancy: mean(
      machines.map((one) => Math.abs(occupancyOf(one) - one.machine.occupancy) * fullIncome(one.machine)),
    ),
    dollars: mean(
      machines.map((one) => Math.abs(occupancyOf(one) * fullIncome(one.machine) - one.machine.earned)),
    ),
  })
  const market = offsOf(ways['price × occupancy of the market'])
  const ratiosOf = (occupancyOf: (one: Outcome) => number): Errors => {
    const { occupancy, dollars } = offsOf(occupancyOf)
    return { occupancy: occupancy / market.occupancy, dollars: dollars / market.dollars }
  }
  const rounded = Object.entries(ways).map(([name, occupancyOf]) => {
    const [off, ratio] = [offsOf(occupancyOf), ratiosOf(occupancyOf)]
    const [occupancy, dollars] = [ratio.occupancy, ratio.dollars].map((one) => Number(one.toFixed(3)))
    return [name, { 'USD in 30 days': Number(off.dollars.toPrecision(3)), occupancy, dollars }]
  })
  console.table(Object.fromEntries(rounded))
  const { own, ideal } = {
    own: ratiosOf(ways['its outlook']),
    ideal: ratiosOf(ways['true rates, at its position in the mean book']),
  }
  return { own, ideal }
}

export const fullIncome = (machine?: Listed) => (machine ? machine.ask * machine.num_gpus * 720 : 0)
