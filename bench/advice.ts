import { mean } from 'simple-statistics'
import { bookOfOthers, shareBelow } from '../contract/fill-rate.ts'
import { bookDays } from '../contract/ladder.ts'
import { type ClickHouse, selectColumns, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { askOf, bookRange, meanAsks, readMeanBook } from '../src/metrics/depth/mean-book.ts'
import { everything } from '../src/metrics/histogram.ts'
import { slotsIn } from '../src/metrics/history/timeline.ts'
import { adviseOn } from '../src/metrics/machines/advice.ts'
import type { ClassFlow } from '../src/metrics/machines/compared.ts'
import { rateMarket } from '../src/metrics/machines/market-rates.ts'
import { rateName } from '../src/metrics/machines/pooled-rates.ts'
import { openOracle } from './rental-oracle.ts'

interface Listed {
  machine_id: number
  gpu_name: string
  num_gpus: number
  verified: boolean
  hosting_type: string
  ask: number
  /** What the mean book has of it: its prices, and its GPUs available at each, summed over the slots. */
  offered: [number[], number[]]
  /** Share of its GPU-hours that were rented, on the days held out. */
  occupancy: number
  /** Mean share of the available GPUs of its name that cost less, on the days before and on those held out. */
  before: number
  after: number
}

interface Range {
  from: number
  to: number
}

const day = 86_400

/**
 * What the first week of the series says about the next one, and about all days after it: the error of each machine's income at its last
 * price, beside that of price × the occupancy of its GPU type, and of who knows the rates by which the simulator rents.
 */
export async function measureAdvice(clickhouse: ClickHouse, days: number): Promise<Forecasts[]> {
  const [ends] = await selectRows<{ first: number }>(
    clickhouse,
    'SELECT toUnixTimestamp(min(slot)) AS first FROM slots',
  )
  if (!ends) return []
  const middle = Math.ceil((ends.first + 7 * day) / 3600) * 3600
  const forecast = await openForecast(clickhouse, { from: middle - 7 * day, to: middle })
  const found: Forecasts[] = []
  for (const held of new Set([Math.min(7, days - 7), days - 7])) {
    const range = { from: middle, to: middle + held * day }
    const all = await readMachines(clickhouse, range)
    const machines = all.flatMap((machine) => {
      const expected = forecast(machine)
      return expected === undefined || Number.isNaN(machine.after) ? [] : [{ machine, expected }]
    })
    console.log(
      `\nincome on ${held} days held out, of ${machines.length} of ${all.length} machines: mean errors`,
    )
    found.push({ held, ...printErrors(machines, openOracle(range)) })
  }
  return found
}

/** How good forecasts are, in relation to price × the occupancy of the market. */
interface Forecasts {
  /** Days held out. */
  held: number
  own: number
  /** Of who knows the rates by which the simulator rents at the same positions. */
  ideal: number
}

/** The means over some markets. */
export function printAdvice(markets: readonly Forecasts[][]): void {
  for (const { held } of markets[0] ?? []) {
    const found = markets.flat().filter((one) => one.held === held)
    const [own, ideal] = [mean(found.map((one) => one.own)), mean(found.map((one) => one.ideal))]
    console.log(
      `error of income on ${held} days held out, mean of ${found.length} markets: ${own.toFixed(2)} × that of the market (target 0.7; with the simulator's own rates at the same positions ${ideal.toFixed(2)})`,
    )
  }
}

type Forecast = ReturnType<Awaited<ReturnType<typeof openForecast>>>
interface Outcome {
  machine: Listed
  expected: NonNullable<Forecast>
}

function printErrors(machines: readonly Outcome[], oracle: ReturnType<typeof openOracle>) {
  const ways = {
    'price × occupancy of the market': ({ expected }) => expected.market,
    'the forecast for own machines': ({ expected }) => expected.own,
    'true rates, at its position in the mean book': ({ machine, expected }) =>
      oracle(machine, expected.share),
    'true rates, positions of the days before': ({ machine }) => oracle(machine, machine.before),
    'true rates, positions of the days held out': ({ machine }) => oracle(machine, machine.after),
  } satisfies Record<string, (one: Outcome) => number>
  const errors = Object.entries(ways).map(([name, occupancyOf]) => {
    const offs = machines.map((one) => Math.abs(occupancyOf(one) - one.machine.occupancy))
    const incomes = offs.map((off, index) => off * fullIncome(machines[index]?.machine))
    return { name, occupancy: mean(offs), income: mean(incomes) }
  })
  const [market, own, ideal] = errors
  const ratio = (one: typeof own) => (one?.income ?? 0) / (market?.income ?? 1)
  console.table(
    Object.fromEntries(
      errors.map((one) => [
        one.name,
        {
          occupancy: Number(one.occupancy.toFixed(4)),
          'income, USD in 30 days': Number(one.income.toPrecision(3)),
          ratio: Number(ratio(one).toFixed(3)),
        },
      ]),
    ),
  )
  return { own: ratio(own), ideal: ratio(ideal) }
}

const fullIncome = (machine?: Listed) => (machine ? machine.ask * machine.num_gpus * 720 : 0)

/** Machines that were listed before a range and seen in it. Positions are those at the full hours at which they were available. */
const readMachines = (clickhouse: ClickHouse, { from, to }: Range) =>
  selectRows<Listed>(
    clickhouse,
    `SELECT
       machine_id, gpu_name, num_gpus, max(seen.verified) AS verified, toString(any(seen.hosting_type)) AS hosting_type,
       toFloat64(argMaxIf(price, slot, NOT rented AND slot < middle)) AS ask,
       sumMapIf([toFloat64(price)], [toUInt64(gpus)], NOT rented AND slot >= toDateTime({book:UInt32}, 'UTC') AND slot < middle) AS offered,
       sumIf(gpus, rented AND slot >= middle) / sumIf(gpus, slot >= middle) AS occupancy,
       avgIf(cheaper / all_gpus, NOT rented AND slot < middle AND slot = toStartOfHour(slot)) AS before,
       avgIf(cheaper / all_gpus, NOT rented AND slot >= middle AND slot = toStartOfHour(slot)) AS after
     FROM (
       SELECT *, toDateTime({from:UInt32}, 'UTC') AS middle,
         sum(gpus) OVER (PARTITION BY slot, gpu_name, rented) AS all_gpus,
         sum(gpus) OVER (
           PARTITION BY slot, gpu_name, rented ORDER BY reinterpretAsInt64(price)
           RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ) AS cheaper
       FROM observations
       WHERE slot < toDateTime({to:UInt32}, 'UTC')
     ) AS seen
     GROUP BY machine_id, gpu_name, num_gpus
     HAVING countIf(NOT rented AND slot < middle) > 0 AND countIf(slot >= middle) > 100`,
    { from, to, book: bookRange(from - 1, bookDays).from },
  )

/** Forecasts of the occupancy of a machine, as the product makes them at the end of a range. */
async function openForecast(clickhouse: ClickHouse, { from, to }: Range) {
  const select = <Row>(name: string, parameters: Record<string, number | string[]>) =>
    selectRows<Row>(clickhouse, loadSql(`clickhouse/queries/machines/${name}`), parameters)
  const occupancies = await selectRows<{ gpu_name: string; occupancy: number }>(
    clickhouse,
    `SELECT gpu_name, sumIf(gpus, rented) / sum(gpus) AS occupancy FROM price_histogram FINAL
     WHERE hour < toDateTime({to:UInt32}, 'UTC') GROUP BY gpu_name`,
    { to },
  )
  const { slot } = await selectColumns<{ slot: number[] }>(
    clickhouse,
    loadSql('clickhouse/queries/series/slots'),
    {},
  )
  const slots = Uint32Array.from(slot.filter((one) => one < to))
  const range = { ...bookRange(to - 1, bookDays), to }
  // By the hour: the last step of 6 hours may go on behind the end.
  const state = { summed_since: Number.POSITIVE_INFINITY }
  const names = occupancies.map(({ gpu_name }) => gpu_name)
  const [flows, inMarket, books] = await Promise.all([
    select<ClassFlow>('class_flows', { names, from, to }),
    select<ClassFlow>('class_flows', { names: [], from, to }),
    readMeanBook(clickhouse, { ...everything, names }, { ...range, slots, state }),
  ])
  const market = rateMarket(inMarket)
  const marketOf = new Map(occupancies.map((row) => [row.gpu_name, row.occupancy]))
  return (machine: Listed): { market: number; own: number; share: number } | undefined => {
    const ofName = <Row extends { gpu_name: string }>(rows: Row[]) =>
      rows.filter((row) => row.gpu_name === machine.gpu_name)
    const book = bookOfOthers(ofName(books).map(askOf), meanAsks(machine.offered, slotsIn(slots, range)))
    const known = { flows: ofName(flows), name: rateName(ofName(flows), market), book }
    const { income } = adviseOn({ ...machine, price: machine.ask }, known)
    const occupancy = marketOf.get(machine.gpu_name)
    if (!income || occupancy === undefined) return undefined
    const share = shareBelow(machine.ask, { book, gpus: machine.num_gpus })
    return { market: occupancy, own: income.value / fullIncome(machine), share }
  }
}
