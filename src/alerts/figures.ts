import type { AlertCondition } from '../../contract/alerts.ts'
import { normalName, sameName } from '../../contract/gpu-names.ts'
import { floorTo } from '../../contract/ladder.ts'
import { fillRateOf } from '../../estimates/fill-rate.ts'
import { groupBy } from '../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { idleSince } from '../metrics/machines/own-past.ts'
import { readEvents } from './events.ts'
import { readListPrices } from './list-prices.ts'
import type { AlertMarket } from './markets.ts'
import type { Rule } from './rule.ts'
import {
  type Filter,
  keyOf,
  type MachineFigure,
  type MarketFigure,
  type Range,
  type Slot,
  type SlotFigures,
} from './slot-figures.ts'

const week = 7 * 86_400
const month = 30 * 86_400

/** A row of alerts/fills.sql. */
export interface FillRow {
  start: number
  gpu_name: string
  num_gpus: number
  verified: boolean
  hosting_type: string
  exposed_seconds: number
  rented_gpus: number
}

/**
 * Reads what the rules ask of one slot: each kind of figure once, however many rules there are. Rules on events take a statement for
 * each kind of event and choice of `verified`, at most twelve.
 */
export async function readFigures(
  market: AlertMarket,
  { slot, previous, interval }: Slot,
  rules: readonly Rule[],
): Promise<SlotFigures> {
  const { clickhouse, own } = market
  const at = { from: slot, to: slot + 1 }
  const asksMachines = rules.filter(({ condition }) => 'machine_id' in condition)
  const needs = (test: (rule: Rule) => boolean) => rules.some(test)
  const needsMarket = needs(({ condition: { kind } }) => kind === 'statistic' || kind === 'machine_price')
  const needsFills = needs(
    ({ condition }) => condition.kind === 'statistic' && condition.statistic === 'fill_rate',
  )
  const listed = rules.flatMap(({ condition }) => listedIn(condition))
  const to = floorTo(3600, slot)
  const [cube, fills, { of: owned }, machines, eventsOf, listPrice] = await Promise.all([
    needsMarket ? selectMarket(clickhouse, at) : [],
    needsFills ? selectFills(clickhouse, { from: Math.max(0, to - week), to }) : [],
    asksMachines.length > 0
      ? own.ids([...new Set(asksMachines.map(({ account_id }) => account_id))])
      : { of: new Map<number, number[]>() },
    asksMachines.length > 0 ? selectMachines(clickhouse, at) : [],
    readEvents(market, { slot, previous, interval }, rules),
    readListPrices(market.site, listed, { from: slot, to: slot, interval }),
  ])
  const marketOf = new Map(cube.map((row) => [keyOf(row), row]))
  const machineOf = new Map(machines.map((row) => [row.id, row]))
  const idleSince = await readIdle(
    clickhouse,
    { slot, interval },
    unknownIdle(asksMachines, owned, machineOf),
  )
  return {
    slot,
    interval,
    newest: slot,
    market: (of) => marketOf.get(keyOf(of)),
    fillRate: sumFills(fills),
    listPrice: (name) => listPrice(slot, name),
    eventsOf,
    ownedBy: (account) => owned.get(account) ?? [],
    machine: (id) => machineOf.get(id),
    idleSince: (id) => idleSince.get(id),
  }
}

/** The GPU name whose list price a rule watches. */
const listedIn = (condition: AlertCondition): string[] =>
  condition.kind === 'statistic' && condition.statistic === 'list_price' ? [condition.gpu_name] : []

/** The market of some slots, with every filter or with some. */
export const selectMarket = (
  clickhouse: ClickHouse,
  range: Range,
  filters: readonly Filter[] = [],
): Promise<MarketFigure[]> =>
  selectRows(clickhouse, loadSql('clickhouse/queries/alerts/market'), {
    ...range,
    names: filters.map(({ gpu_name }) => gpu_name),
    verified: filters.map(({ verified }) => verified),
    hosting: filters.map(({ hosting_type }) => hosting_type),
    rigs: filters.map(({ num_gpus }) => num_gpus),
  })

/** Machines at some slots: some of them, or all. */
export const selectMachines = (
  clickhouse: ClickHouse,
  range: Range,
  ids: readonly number[] = [],
): Promise<MachineFigure[]> =>
  selectRows(clickhouse, loadSql('clickhouse/queries/alerts/machines'), { ...range, ids })

export const selectFills = (
  clickhouse: ClickHouse,
  range: Range,
  { names = [], hourly = false }: { names?: readonly string[]; hourly?: boolean } = {},
): Promise<FillRow[]> =>
  selectRows(clickhouse, loadSql('clickhouse/queries/alerts/fills'), { ...range, names, hourly })

/** Whether a filter lets a class of machines through. */
export const passes = (of: Filter, row: Omit<FillRow, 'start'>): boolean =>
  sameName(of.gpu_name, row.gpu_name) &&
  (of.verified === 'all' || row.verified === (of.verified === 'yes')) &&
  (of.hosting_type === 'all' || row.hosting_type === of.hosting_type) &&
  (of.num_gpus === 0 || row.num_gpus === of.num_gpus)

export const rateOfFills = (rows: readonly FillRow[]): number | null =>
  fillRateOf({
    events: rows.reduce((sum, row) => sum + row.rented_gpus, 0),
    hours: rows.reduce((sum, row) => sum + row.exposed_seconds, 0) / 3600,
  })?.value ?? null

/** The fill rate of a filter, computed once for all rules that ask for it. */
function sumFills(rows: readonly FillRow[]): (of: Filter) => number | null {
  const byName = groupBy(rows, ({ gpu_name }) => normalName(gpu_name).toLowerCase())
  const known = new Map<string, number | null>()
  return (of) => {
    const key = keyOf(of)
    const own = byName.get(normalName(of.gpu_name).toLowerCase()) ?? []
    const rate = known.has(key) ? (known.get(key) ?? null) : rateOfFills(own.filter((row) => passes(of, row)))
    known.set(key, rate)
    return rate
  }
}

/** Machines that are idle and that a rule remembers nothing of. */
function unknownIdle(
  rules: readonly Rule[],
  owned: ReadonlyMap<number, readonly number[]>,
  machineOf: ReadonlyMap<number, MachineFigure>,
): number[] {
  const unknown = new Set<number>()
  for (const { account_id, condition, state } of rules) {
    if (condition.kind !== 'machine_idle') continue
    for (const id of owned.get(account_id) ?? [])
      if (machineOf.get(id)?.rented === 0 && state[`${id}`]?.idle === undefined) unknown.add(id)
  }
  return [...unknown]
}

/** Since when machines are idle, at most 30 days back: as in the figures of own machines. */
async function readIdle(
  clickhouse: ClickHouse,
  { slot, interval }: { slot: number; interval: number },
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const query = loadSql('clickhouse/queries/alerts/idle')
  const rows = await selectRows<{ id: number; first_slot: number; rented_slot: number }>(clickhouse, query, {
    ...{ ids, from: Math.max(0, slot - month), to: slot + 1 },
  })
  return new Map(rows.map((row) => [row.id, idleSince(row, interval)]))
}
