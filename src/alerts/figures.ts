import type { AlertCondition } from '../../contract/alert-conditions.ts'
import { day } from '../../contract/durations.ts'
import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { idleSince } from '../hosts/machines/own-past.ts'
import type { SeriesView } from '../market/market-query/series.ts'
import { slotAt } from '../market/market-query/timeline.ts'
import type { RuleMarket } from '../rules/markets.ts'
import { readEvents } from './events.ts'
import { countsNone, readSizes } from './gone.ts'
import { readListPrices } from './list-prices.ts'
import { selectMachines, selectMarket, selectWeekOfFills, sumFills } from './market-rows.ts'
import { readOlder } from './older.ts'
import type { Rule } from './rule.ts'
import {
  type Filter,
  keyOf,
  keysOf,
  type MachineFigure,
  type Slot,
  type SlotFigures,
} from './slot-figures.ts'
import { readWaits } from './waits.ts'

const month = 30 * day

/**
 * Reads the figures of one slot that rules need: each kind once, for any number of rules. Rules on events take a statement for
 * each kind of event and choice of `verified`, at most twelve.
 */
export async function readFigures(
  market: RuleMarket,
  { slot, previous, interval }: Slot,
  rules: readonly Rule[],
): Promise<SlotFigures> {
  const { clickhouse, own } = market
  const at = { from: slot, to: slot + 1 }
  // The market of other hosts may be shown late. Own machines are read at the slot itself.
  const shownAt = await openShown(market.series)
  const shown = { slot: shownAt(slot), previous: shownAt(previous), interval }
  const asksMachines = rules.filter(({ condition }) => 'machine_id' in condition)
  const needs = (test: (rule: Rule) => boolean) => rules.some(test)
  const needsMarket = needs(({ condition: { kind } }) => kind === 'statistic' || kind === 'machine_price')
  const needsFills = needs(
    ({ condition }) => condition.kind === 'statistic' && condition.statistic === 'fill_rate',
  )
  const listed = rules.flatMap(({ condition }) => listedIn(condition))
  const [cube, fills, { of: owned }, machines, eventsOf, listPrice, ago] = await Promise.all([
    needsMarket ? selectMarket(market, { from: shown.slot, to: shown.slot + 1 }) : [],
    needsFills ? selectWeekOfFills(clickhouse, shown.slot) : [],
    asksMachines.length > 0
      ? own.ids([...new Set(asksMachines.map(({ account_id }) => account_id))])
      : { of: new Map<number, number[]>() },
    asksMachines.length > 0 ? selectMachines(clickhouse, at) : [],
    readEvents(market, shown, rules),
    readListPrices(market.site, listed, { from: slot, to: slot, interval }),
    readOlder(market, shown, rules),
  ])
  const marketOf = new Map(cube.flatMap((row) => keysOf(row).map((key) => [key, row] as const)))
  const atSlot = (of: Filter) => marketOf.get(keyOf(of))
  // Rules are evaluated only at snapshots of the whole market, so slots that an import adds are skipped.
  const sizesOf = countsNone(rules, atSlot) ? (await readSizes(market.series))(shown.slot) : () => undefined
  const machineOf = new Map(machines.map((row) => [row.id, row]))
  const waitsFor = rules.filter(({ condition }) => condition.kind === 'machine_waits')
  const waitOf = await readWaits(market, idleOf(waitsFor, owned, machineOf), interval)
  const idleSince = await readIdle(
    clickhouse,
    { slot, interval },
    unknownIdle(asksMachines, owned, machineOf),
  )
  return {
    slot,
    interval,
    newest: slot,
    market: atSlot,
    sizesOf,
    fillRate: sumFills(fills),
    listPrice: (...of) => listPrice(slot, ...of),
    ago,
    eventsOf,
    ownedBy: (account) => owned.get(account) ?? [],
    machine: (id) => machineOf.get(id),
    waitOf,
    idleSince: (id) => idleSince.get(id),
  }
}

/** Returns the newest slot that readers may see at a slot; 0: there is none. */
async function openShown(series: SeriesView): Promise<(slot: number) => number> {
  const { state, slots } = await series.recorded()
  const { delay } = state
  return (slot) => (delay === 0 ? slot : (slotAt(slots, slot - delay) ?? 0))
}

/** The GPU name whose list price a rule watches. */
const listedIn = (condition: AlertCondition): string[] =>
  condition.kind === 'statistic' && condition.statistic === 'list_price' ? [condition.gpu_name] : []

/** The ids of idle machines without a state in a rule: the time since which they are idle must be read. */
function unknownIdle(
  rules: readonly Rule[],
  owned: ReadonlyMap<number, readonly number[]>,
  machineOf: ReadonlyMap<number, MachineFigure>,
): number[] {
  const unknown = new Set<number>()
  for (const { account_id, condition, state } of rules) {
    if (condition.kind !== 'machine_idle' && condition.kind !== 'machine_waits') continue
    for (const id of owned.get(account_id) ?? [])
      if (machineOf.get(id)?.rented === 0 && state[`${id}`]?.idle === undefined) unknown.add(id)
  }
  return [...unknown]
}

/** The idle machines that rules watch, by account. */
const idleOf = (
  rules: readonly Rule[],
  owned: ReadonlyMap<number, readonly number[]>,
  machineOf: ReadonlyMap<number, MachineFigure>,
): Map<number, number[]> =>
  new Map(
    rules.map(({ account_id }) => [
      account_id,
      (owned.get(account_id) ?? []).filter((id) => machineOf.get(id)?.rented === 0),
    ]),
  )

/** The time since which machines are idle, at most 30 days back: as in the figures of own machines. */
async function readIdle(
  clickhouse: ClickHouse,
  { slot, interval }: { slot: number; interval: number },
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const query = 'alerts/idle'
  const rows = await selectRows<{ id: number; first_slot: number; rented_slot: number }>(clickhouse, query, {
    ids,
    from: Math.max(0, slot - month),
    to: slot + 1,
  })
  return new Map(rows.map((row) => [row.id, idleSince(row, interval)]))
}
