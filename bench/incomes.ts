import { bookDays } from '../contract/ladder.ts'
import { mostWithFigures } from '../contract/machines.ts'
import { costsOf } from '../estimates/costs.ts'
import { bookOfOthers, shareBelow } from '../estimates/income-curve.ts'
import { type ClickHouse, selectColumns, selectRows } from '../platform/stores/clickhouse.ts'
import { expectedOf, type MarketData } from '../src/hosts/machines/advice.ts'
import type { ClassFlow } from '../src/hosts/machines/compared.ts'
import { rateMarket } from '../src/hosts/machines/market-rates.ts'
import { readPast, sinceChange } from '../src/hosts/machines/own-past.ts'
import { resultsOf, type SinceChange } from '../src/hosts/machines/own-results.ts'
import { rateName } from '../src/hosts/machines/pooled-rates.ts'
import { asksIn, bookRange, meanAsks, readMeanAsks } from '../src/market/depth/mean-book.ts'
import { everything } from '../src/market/market-query/select.ts'
import { slotsIn } from '../src/market/market-query/timeline.ts'
import { measureFills } from './fill-coverage.ts'
import { type Forecasts, fullIncome, type Listed, printErrors } from './income-errors.ts'
import { openOracle } from './rental-oracle.ts'

interface Range {
  from: number
  to: number
}

const day = 86_400

/**
 * Prints the errors of income forecasts: from the first week of the series, about the next week and about all later days. Compares the
 * error of each machine's income at its last price with two others: price × the occupancy of its GPU type, and the simulator's own rental
 * rates.
 */
export async function measureIncomes(clickhouse: ClickHouse, days: number): Promise<Forecasts[]> {
  const [ends] = await selectRows<{ first: number }>(
    clickhouse,
    'SELECT toUnixTimestamp(min(slot)) AS first FROM slots',
  )
  if (!ends) return []
  const middle = Math.ceil((ends.first + 7 * day) / 3600) * 3600
  const week = { from: middle - 7 * day, to: middle }
  const known = await openKnown(clickhouse, week)
  await measureFills(clickhouse, week, known.interval)
  const found: Forecasts[] = []
  for (const held of new Set([Math.min(7, days - 7), days - 7])) {
    const range = { from: middle, to: middle + held * day }
    const all = await readMachines(clickhouse, range)
    const machines = all.flatMap((machine) => {
      const expected = forecast(machine, known)
      return expected === undefined || Number.isNaN(machine.after) ? [] : [{ machine, expected }]
    })
    if (found.length === 0) await measureResults(clickhouse, all, { to: middle, known })
    console.log(
      `\nincome on ${held} days held out, of ${machines.length} of ${all.length} machines: mean errors`,
    )
    found.push({ held, ...printErrors(machines, openOracle(range)) })
  }
  return found
}

/** Machines that were listed before a range and seen in it. Positions are measured at the full hours at which they were available. */
const readMachines = (clickhouse: ClickHouse, { from, to }: Range) =>
  selectRows<Listed>(
    clickhouse,
    `SELECT
       machine_id, gpu_name, num_gpus, max(seen.verified) AS verified, toString(any(seen.hosting_type)) AS hosting_type, max(seen.gpu_memory) AS gpu_memory,
       toFloat64(argMaxIf(price, slot, NOT rented AND slot < middle)) AS ask,
       sumMapIf([toFloat64(price)], [toUInt64(gpus)], NOT rented AND slot >= toDateTime({book:UInt32}, 'UTC') AND slot < middle) AS offered,
       sumIf(gpus, rented AND slot >= middle) / sumIf(gpus, slot >= middle) AS occupancy,
       sumIf(toFloat64(price) * gpus, rented AND slot >= middle) / uniqExactIf(slot, slot >= middle) * 720 AS earned,
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

/** The product's figures about each machine at the end of a range, and the occupancy of its GPU name. */
async function openKnown(clickhouse: ClickHouse, { from, to }: Range) {
  const select = <Row>(name: string, parameters: Record<string, number | string[]>) =>
    selectRows<Row>(clickhouse, `machines/${name}`, parameters)
  const occupancies = await selectRows<{ gpu_name: string; occupancy: number }>(
    clickhouse,
    `SELECT gpu_name, sumIf(gpus, rented) / sum(gpus) AS occupancy FROM price_histogram FINAL
     WHERE hour < toDateTime({to:UInt32}, 'UTC') GROUP BY gpu_name`,
    { to },
  )
  const { slot } = await selectColumns<{ slot: number[] }>(clickhouse, 'series/slots', {})
  const slots = Uint32Array.from(slot.filter((one) => one < to))
  const range = { ...bookRange(to - 1, bookDays), to }
  // Read by the hour, because the last step of 6 hours may extend past the end.
  const book = { ...range, slots, stored_step: 3600 }
  const names = occupancies.map(({ gpu_name }) => gpu_name)
  const [flows, inMarket, books] = await Promise.all([
    select<ClassFlow>('class_flows', { names, from, to }),
    select<ClassFlow>('class_flows', { names: [], from, to }),
    readMeanAsks(clickhouse, { ...everything, names }, book),
  ])
  const market = rateMarket(inMarket)
  const marketOf = new Map(occupancies.map((row) => [row.gpu_name, row.occupancy]))
  const ofName = <Row extends { gpu_name: string }>(rows: Row[], name: string) =>
    rows.filter((row) => row.gpu_name === name)
  const knownOf = ({ offered, ...machine }: Listed): MarketData => {
    const { gpu_name } = machine
    const [asks, own] = [asksIn(ofName(books, gpu_name)), ofName(flows, gpu_name)]
    const ownAsks = meanAsks(offered, slotsIn(slots, range))
    const book = bookOfOthers(asks, ownAsks)
    const costs = costsOf(undefined, undefined, machine)
    return { flows: own, name: rateName(own, market), book, costs, offered: ownAsks }
  }
  return { knownOf, marketOf, interval: (slots[1] ?? 0) - (slots[0] ?? 0) }
}

/** The product's forecast of a machine's occupancy. */
function forecast(machine: Listed, { knownOf, marketOf }: Awaited<ReturnType<typeof openKnown>>) {
  const known = knownOf(machine)
  const { income, outlook } = expectedOf({ ...machine, price: machine.ask, online: true }, known)
  const occupancy = marketOf.get(machine.gpu_name)
  if (!income || !outlook || occupancy === undefined) return undefined
  const share = shareBelow(machine.ask, { book: known.book, gpus: machine.num_gpus })
  return {
    market: occupancy,
    share,
    own: income.value / fullIncome(machine),
    outlook: outlook.value / fullIncome(machine),
  }
}

/** Counts the intervals (of a machine's income since its price changed) that contain the actual income. */
async function measureResults(
  clickhouse: ClickHouse,
  machines: readonly Listed[],
  { to, known }: { to: number; known: Awaited<ReturnType<typeof openKnown>> },
): Promise<void> {
  const slot = to - known.interval
  const times = {
    from: 0,
    week: slot - 7 * day,
    day: slot - day,
    book: slot - 7 * day,
    book_to: slot + 1,
    set_from: 0,
    set_to: 0,
  }
  const changes = new Map<number, SinceChange>()
  // The number of machines on a page of the endpoint.
  for (let first = 0; first < machines.length; first += mostWithFigures) {
    const some = machines.slice(first, first + mostWithFigures)
    const past = await readPast(
      clickhouse,
      {
        ids: some.map(({ machine_id }) => machine_id),
        names: some.map(({ gpu_name }) => gpu_name),
        rigs: some.map(({ num_gpus }) => num_gpus),
        ...times,
        slot,
      },
      { days_from: 0, days_to: 0 },
    )
    for (const { machine_id, ask } of some) {
      const change = sinceChange(past.get(machine_id), ask)
      if (change) changes.set(machine_id, change)
    }
  }
  const found = machines.flatMap((machine) => {
    const expected = expectedOf({ ...machine, price: machine.ask, online: true }, known.knownOf(machine))
    const since = resultsOf(changes.get(machine.machine_id), known.interval, {
      ...machine,
      ...expected,
      price: machine.ask,
    })
    return since && since.standing !== 'unknown' ? [{ ...since, rig: machine.num_gpus }] : []
  })
  const share = (rows: typeof found, standing: string) =>
    ((100 * rows.filter((one) => one.standing === standing).length) / rows.length).toFixed(1)
  for (const [name, passes] of Object.entries({
    'all machines': () => true,
    'with 1 GPU': (one: (typeof found)[number]) => one.rig === 1,
    'with 8 GPUs': (one: (typeof found)[number]) => one.rig === 8,
    'for 3 days or more': (one: (typeof found)[number]) => one.covered_seconds >= 3 * day,
  })) {
    const rows = found.filter(passes)
    console.log(
      `earned since the price changed, ${name} (${rows.length}): ${share(rows, 'within')} % within the interval of one machine, ${share(rows, 'below')} % below, ${share(rows, 'above')} % above`,
    )
  }
}
