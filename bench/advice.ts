import { type Estimate, fillRateOf, incomeAt, incomeCurve, rateOf } from '../contract/fill-rate.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'

interface Flows {
  gpu_name: string
  verified: boolean
  position: number
  rentals: number
  exposure: number
  returns: number
  held: number
}

interface Listed {
  machine_id: number
  gpu_name: string
  num_gpus: number
  verified: boolean
  ask: number
  /** GPUs of it that the book has. */
  offered: number
  /** Share of its GPU-hours that were rented, on the days held out. */
  occupancy: number
}

interface Forecast {
  rates: (machine: Listed) => { fills: (Estimate | null)[]; back: Estimate } | undefined
  books: Map<string, { machine_id: number; price: number; gpus: number }[]>
  marketOccupancy: Map<string, number>
}

/**
 * What the flows of the first half of the series say about the second: the error of each machine's income at its last price, beside that of
 * price × the occupancy of its GPU type.
 */
export async function measureAdvice(clickhouse: ClickHouse, days: number): Promise<void> {
  const [ends] = await selectRows<{ first: number; newest: number }>(
    clickhouse,
    'SELECT toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS newest FROM slots',
  )
  if (!ends) return
  const middle = Math.round((ends.first + ends.newest) / 2 / 3600) * 3600
  const machines = await readMachines(clickhouse, middle)
  const forecast = await readForecast(clickhouse, middle)
  const sums = { byPosition: 0, byMarket: 0, occupancyByPosition: 0, occupancyByMarket: 0, machines: 0 }
  for (const machine of machines) {
    const expected = expectedOf(machine, forecast)
    if (!expected) continue
    const errorOf = (occupancy: number) => Math.abs(occupancy - machine.occupancy)
    const incomeOf = (error: number) =>
      incomeAt(machine.ask, machine.num_gpus, { value: error, low: error, high: error }).value
    sums.occupancyByPosition += errorOf(expected.byPosition)
    sums.occupancyByMarket += errorOf(expected.byMarket)
    sums.byPosition += incomeOf(errorOf(expected.byPosition))
    sums.byMarket += incomeOf(errorOf(expected.byMarket))
    sums.machines += 1
  }
  const mean = (sum: number) => Number((sum / sums.machines).toPrecision(3))
  console.log(`\nincome on ${days / 2} days held out, of ${sums.machines} of ${machines.length} machines`)
  console.table({
    'price × occupancy of the market': {
      'mean error of occupancy': mean(sums.occupancyByMarket),
      'mean error of income, USD in 30 days': mean(sums.byMarket),
    },
    'price × occupancy of its position': {
      'mean error of occupancy': mean(sums.occupancyByPosition),
      'mean error of income, USD in 30 days': mean(sums.byPosition),
    },
  })
  console.log(
    `error of income: ${(sums.byPosition / sums.byMarket).toFixed(2)} × that of the market (target 0.7)`,
  )
}

function expectedOf(machine: Listed, { rates, books, marketOccupancy }: Forecast) {
  const byMarket = marketOccupancy.get(machine.gpu_name)
  const known = rates(machine)
  if (byMarket === undefined || !known) return undefined
  const book =
    books.get(machine.gpu_name)?.filter(({ machine_id }) => machine_id !== machine.machine_id) ?? []
  const [point] = incomeCurve([machine.ask], {
    ...{ book, gpus: Math.max(1, machine.offered), own: machine.ask },
    ...known,
  })
  return point?.occupancy ? { byMarket, byPosition: point.occupancy.value } : undefined
}

/** Machines that were listed before `middle` and seen behind it. */
const readMachines = (clickhouse: ClickHouse, middle: number) =>
  selectRows<Listed>(
    clickhouse,
    `SELECT
       machine_id, gpu_name, num_gpus, max(verified) AS verified,
       toFloat64(argMaxIf(price, slot, NOT rented AND slot < middle)) AS ask,
       sumIf(gpus, NOT rented AND slot = last_slot) AS offered,
       sumIf(gpus, rented AND slot >= middle) / sumIf(gpus, slot >= middle) AS occupancy
     FROM (
       SELECT *, toDateTime({middle:UInt32}, 'UTC') AS middle,
         (SELECT max(s.slot) FROM slots AS s WHERE s.slot < toDateTime({middle:UInt32}, 'UTC')) AS last_slot
       FROM observations
     )
     GROUP BY machine_id, gpu_name, num_gpus
     HAVING countIf(NOT rented AND slot < middle) > 0 AND countIf(slot >= middle) > 100`,
    { middle },
  )

async function readForecast(clickhouse: ClickHouse, middle: number): Promise<Forecast> {
  const flows = await selectRows<Flows>(
    clickhouse,
    `SELECT gpu_name, verified, position, sum(flows.rentals) AS rentals, sum(flows.exposure) / 3600 AS exposure,
       sum(flows.returns) AS returns, sum(flows.held) / 3600 AS held
     FROM flows FINAL WHERE hour < toDateTime({middle:UInt32}, 'UTC') GROUP BY gpu_name, verified, position`,
    { middle },
  )
  const book = await selectRows<{ gpu_name: string; machine_id: number; price: number; gpus: number }>(
    clickhouse,
    `SELECT gpu_name, machine_id, toFloat64(price) AS price, gpus FROM observations
     WHERE NOT rented AND slot = (SELECT max(s.slot) FROM slots AS s WHERE s.slot < toDateTime({middle:UInt32}, 'UTC'))`,
    { middle },
  )
  const occupancy = await selectRows<{ gpu_name: string; occupancy: number }>(
    clickhouse,
    `SELECT gpu_name, sumIf(gpus, rented) / sum(gpus) AS occupancy FROM price_histogram FINAL
     WHERE hour < toDateTime({middle:UInt32}, 'UTC') GROUP BY gpu_name`,
    { middle },
  )
  return {
    rates: (machine) => ratesOf(flows, machine),
    books: grouped(book),
    marketOccupancy: new Map(occupancy.map((row) => [row.gpu_name, row.occupancy])),
  }
}

function grouped<Row extends { gpu_name: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.gpu_name, [...(groups.get(row.gpu_name) ?? []), row])
  return groups
}

/** Of its GPU type and verification; where a position is thin there, of its GPU type. */
function ratesOf(flows: readonly Flows[], { gpu_name, verified }: Listed) {
  const named = flows.filter((row) => row.gpu_name === gpu_name)
  const own = named.filter((row) => row.verified === verified)
  const sum = (rows: readonly Flows[], what: 'rentals' | 'exposure' | 'returns' | 'held') =>
    rows.reduce((total, row) => total + row[what], 0)
  const fillAt = (rows: readonly Flows[], position: number) => {
    const there = rows.filter((row) => row.position === position)
    return fillRateOf({ events: sum(there, 'rentals'), hours: sum(there, 'exposure') })
  }
  const back = rateOf({ events: sum(named, 'returns'), hours: sum(named, 'held') })
  const fills = Array.from({ length: 10 }, (_, position) => fillAt(own, position) ?? fillAt(named, position))
  return back ? { fills, back } : undefined
}
