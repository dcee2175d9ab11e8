import type { AlertCondition } from '../../contract/alert-conditions.ts'
import { ceilTo, floorTo } from '../../contract/ladder.ts'
import { invalidArgs } from '../../platform/errors.ts'
import { groupBy } from '../../platform/group-by.ts'
import { selectColumns } from '../../platform/stores/clickhouse.ts'
import type { RuleMarket } from '../rules/markets.ts'
import { seriesName } from '../rules/subject.ts'
import { knownAt, selectEvents } from './events.ts'
import { readSizes } from './gone.ts'
import { readListPrices } from './list-prices.ts'
import {
  type FillRow,
  passes,
  rateOfFills,
  selectFills,
  selectMachines,
  selectMarket,
  week,
} from './market-rows.ts'
import type { Condition } from './rule.ts'
import {
  classOf,
  type Filter,
  keyOf,
  keysOf,
  type Range,
  type SlotFigures,
  slotBefore,
} from './slot-figures.ts'
import { readWaits } from './waits.ts'

/** Machines that one trial may read: some hundred thousand rows in a month. */
const mostMachines = 25

/** The data that a trial reads. */
interface TrialRange {
  /** The slots, in order. */
  slots: readonly number[]
  range: Range
  account: number
  /** The ids of the machines of the account. */
  owned: readonly number[]
}

/** A market whose past a trial reads. */
export interface PastMarket
  extends Pick<RuleMarket, 'clickhouse' | 'series' | 'own' | 'site' | 'costs' | 'figuresOf'> {
  /** Seconds between slots. */
  snapshotInterval: number
}

type Partly = Partial<SlotFigures>

const noFigures = { market: () => undefined, fillRate: () => null, listPrice: () => null }

/** Seconds between a slot and the oldest figure that it is compared with. */
const reach = (hours: number, interval: number): number => hours * 3600 + Math.max(3600, interval)

/** The figures of some slots for a rule: the worker's figures of each slot, read at once. */
export async function readPast(
  market: PastMarket,
  condition: AlertCondition,
  { slots, range, account, owned }: TrialRange,
): Promise<SlotFigures[]> {
  const { snapshotInterval: interval } = market
  const back = 'by' in condition ? reach(condition.within_hours, interval) : 0
  const from = Math.max(0, back === 0 ? range.from : floorTo(interval, range.from - back))
  const [at, all] = await Promise.all([
    figuresOf(market, condition, { slots, range: { ...range, from }, account, owned }),
    market.series.slots(),
  ])
  const moments = condition.kind === 'data_age' ? clockSlots(range, interval) : slots
  let newest = 0
  let next = 0
  return moments.map((slot) => {
    for (; (slots[next] ?? Number.POSITIVE_INFINITY) <= slot; next += 1) newest = slots[next] ?? newest
    const nothing = {
      ...noFigures,
      eventsOf: () => [],
      ownedBy: () => [],
      machine: () => undefined,
      waitOf: () => undefined,
      idleSince: () => undefined,
      sizesOf: () => undefined,
    }
    const ago = (hours: number) => {
      const older = slotBefore(all, slot - hours * 3600, interval)
      return older === undefined ? undefined : { ...noFigures, ...at(older) }
    }
    return { ...nothing, slot, interval, newest, ago, ...at(slot) }
  })
}

/** Every slot of the clock in the range, including missing ones. */
function clockSlots({ from, to }: Range, interval: number): number[] {
  const first = ceilTo(interval, from)
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / interval)) },
    (_, n) => first + n * interval,
  )
}

function figuresOf(
  market: PastMarket,
  condition: AlertCondition,
  past: TrialRange,
): Promise<(slot: number) => Partly> | ((slot: number) => Partly) {
  switch (condition.kind) {
    case 'data_age':
      return () => ({})
    case 'event':
      return pastEvents(market, condition, past)
    case 'statistic':
      if (condition.statistic === 'fill_rate') return pastFills(market, condition, past)
      if (condition.statistic === 'list_price') return pastListPrices(market, condition, past)
      return pastMarket(market, condition, past)
    default:
      return pastMachines(market, condition, past)
  }
}

async function pastMarket(market: PastMarket, condition: Condition<'statistic'>, { range }: TrialRange) {
  const sizesAt = await readSizes(market.series)
  const of: Filter = { ...condition, gpu_name: await seriesName(market.series, condition.gpu_name) }
  const sizes =
    condition.gpu_memory === 0 ? [0] : [0, condition.gpu_memory, ...(sizesAt(range.to)(of.gpu_name) ?? [])]
  const filters = [...new Set(sizes)].map((gpu_memory): Filter => ({ ...of, gpu_memory }))
  const [rows, { slot: whole }] = await Promise.all([
    selectMarket(market, range, { filters }),
    selectColumns<{ slot: number[] }>(market.clickhouse, 'alerts/whole_slots', { ...range }),
  ])
  const byKey = new Map(rows.flatMap((row) => keysOf(row).map((key) => [`${row.slot} ${key}`, row] as const)))
  const isWhole = new Set(whole)
  return (slot: number): Partly => ({
    market: (filter) => byKey.get(`${slot} ${keyOf(filter)}`),
    ...(isWhole.has(slot) && { sizesOf: sizesAt(slot) }),
  })
}

async function pastFills(market: PastMarket, condition: Condition<'statistic'>, { range }: TrialRange) {
  const name = await seriesName(market.series, condition.gpu_name)
  const hours = { from: Math.max(0, floorTo(3600, range.from) - week), to: floorTo(3600, range.to) }
  const rows = await selectFills(market.clickhouse, hours, { names: [name], hourly: true })
  const byHour = groupBy(
    rows.filter((row) => passes(condition, row)),
    ({ start }) => start,
  )
  const known = new Map<number, number | null>()
  const rateBefore = (hour: number): number | null => {
    const rate = known.get(hour)
    if (rate !== undefined) return rate
    const within: FillRow[] = []
    for (let start = hour - week; start < hour; start += 3600) within.push(...(byHour.get(start) ?? []))
    const found = rateOfFills(within)
    known.set(hour, found)
    return found
  }
  return (slot: number): Partly => ({ fillRate: () => rateBefore(floorTo(3600, slot)) })
}

async function pastListPrices(
  { site, snapshotInterval: interval }: PastMarket,
  { gpu_name }: Condition<'statistic'>,
  { range }: TrialRange,
) {
  const priceAt = await readListPrices(site, [gpu_name], { ...range, interval })
  return (slot: number): Partly => ({ listPrice: (...of) => priceAt(slot, ...of) })
}

async function pastEvents(market: PastMarket, condition: Condition<'event'>, { slots, range }: TrialRange) {
  const names = [await seriesName(market.series, condition.gpu_name)]
  const interval = market.snapshotInterval
  const events = await selectEvents(market.clickhouse, { ...condition, names, interval }, range)
  // An event counts at the first slot at or after the time at which it became known.
  const bySlot = groupBy(events, (event) => slots.find((slot) => slot >= knownAt(event)))
  return (slot: number): Partly => ({ eventsOf: () => bySlot.get(slot) ?? [] })
}

type OwnCondition =
  | Condition<'machine_idle'>
  | Condition<'machine_waits'>
  | Condition<'machine_price'>
  | Condition<'listing_ends'>

async function pastMachines(
  market: PastMarket,
  condition: OwnCondition,
  { range, account, owned }: TrialRange,
) {
  const { machine_id } = condition
  const ids = machine_id === null ? [...owned] : [machine_id]
  if (ids.length > mostMachines)
    throw invalidArgs(
      `More than ${mostMachines} machines cannot be tried at once. Choose one with machine_id.`,
    )
  const machines = ids.length === 0 ? [] : await selectMachines(market.clickhouse, range, ids)
  const bySlot = groupBy(machines, ({ slot }) => slot)
  const classes = new Map(machines.map((machine) => [keyOf(classOf(machine)), classOf(machine)]))
  const needsBand = condition.kind === 'machine_price' && classes.size > 0
  const bands = needsBand ? await selectMarket(market, range, { filters: [...classes.values()] }) : []
  const bandOf = new Map(
    bands.flatMap((row) => keysOf(row).map((key) => [`${row.slot} ${key}`, row] as const)),
  )
  // The estimates of the past are not kept, so the present one counts.
  const waitsFor = new Map(condition.kind === 'machine_waits' ? [[account, ids]] : [])
  const waitOf = await readWaits(market, waitsFor, market.snapshotInterval)
  return (slot: number): Partly => {
    const here = new Map((bySlot.get(slot) ?? []).map((machine) => [machine.id, machine]))
    return {
      ownedBy: () => ids,
      waitOf,
      machine: (id) => here.get(id),
      market: (of) => bandOf.get(`${slot} ${keyOf(of)}`),
    }
  }
}
