import type { ChangeCondition } from '../../contract/alert-conditions.ts'
import type { AlertStatistic } from '../../contract/alert-kinds.ts'
import { day, hour } from '../../contract/durations.ts'
import { waitingOf } from '../../estimates/pooled/wait.ts'
import { countOfNone } from './gone.ts'
import type { Condition, Rule } from './rule.ts'
import {
  classOf,
  type MachineFigure,
  type MarketFigure,
  type OlderFigures,
  type SlotFigures,
} from './slot-figures.ts'

/** The reading of one watched subject at one slot. If neither `isMet` nor `isClear` is true, the state stays unchanged. */
export interface Reading {
  key: string
  isMet: boolean
  isClear: boolean
  value: number | null
  limit: number | null
  /** The earlier value that the value is compared with. */
  before?: number
  /** Slots in a row that `isMet` or `isClear` must hold before the state changes. */
  slots: number
  idle?: number | null
}

/** With fewer machines than this in a class, nothing is compared. */
const fewestMachines = 5

interface Readings {
  /** The watched subjects, including subjects without data in the slot. */
  known: ReadonlySet<string>
  readings: Reading[]
}

const single = (reading: Omit<Reading, 'key'> | undefined): Readings => ({
  known: new Set(['']),
  readings: reading ? [{ key: '', ...reading }] : [],
})

/** The readings of a rule at a slot. */
export function readingsOf({ account_id, condition, state }: Rule, figures: SlotFigures): Readings {
  if (condition.kind === 'data_age') return single(ageReading(condition, figures))
  if (condition.kind === 'statistic') return single(statisticReading(condition, figures))
  if (condition.kind === 'event') return single(undefined)
  const { machine_id } = condition
  const own = figures.ownedBy(account_id).filter((id) => machine_id === null || id === machine_id)
  const readings = own.flatMap((id) => {
    const machine = figures.machine(id)
    if (!machine) return []
    const remembered = state[`${id}`]?.idle
    const reading = readingOf(condition, machine, { remembered, figures })
    return reading ? [{ key: `${id}`, ...reading }] : []
  })
  return { known: new Set(own.map(String)), readings }
}

type OwnCondition =
  | Condition<'machine_idle'>
  | Condition<'machine_waits'>
  | Condition<'machine_price'>
  | Condition<'listing_ends'>

function readingOf(
  condition: OwnCondition,
  machine: MachineFigure,
  { remembered, figures }: { remembered: number | null | undefined; figures: SlotFigures },
): Omit<Reading, 'key'> | undefined {
  switch (condition.kind) {
    case 'machine_idle':
      return idleReading(condition, machine, { remembered, figures })
    case 'machine_waits':
      return waitReading(machine, { remembered, figures })
    case 'machine_price':
      return bandReading(condition, machine, figures)
    case 'listing_ends':
      return endReading(condition, machine, figures)
  }
}

function ageReading({ minutes }: Condition<'data_age'>, { slot, newest }: SlotFigures) {
  if (newest === 0) return undefined
  const age = Math.max(0, slot - newest) / 60
  return { isMet: age > minutes, isClear: age <= minutes, value: age, limit: minutes, slots: 1 }
}

function statisticReading(condition: Condition<'statistic'>, figures: SlotFigures) {
  const { clears_at, slots } = condition
  const { value, before, limit } = figureSeen(condition, figures)
  if (value === null || limit === null) return undefined
  if (!('by' in condition)) {
    const { is } = condition
    const clears = clears_at ?? limit
    return {
      isMet: is === 'above' ? value > limit : value < limit,
      isClear: is === 'above' ? value <= clears : value >= clears,
      value,
      limit,
      slots,
    }
  }
  if (before === null) return undefined
  const { is, by } = condition
  const moved = is === 'falls' ? -percentChange(before, value) : percentChange(before, value)
  return {
    isMet: moved >= by,
    isClear: clears_at === null ? moved < by : moved <= clears_at,
    value,
    limit,
    before,
    slots,
  }
}

/** The change in percent, rounded to a millionth: from 0.4 to 0.38 it is -5, not -5.000000000000004. */
export const percentChange = (before: number, value: number): number =>
  Math.round(1e8 * (value / before - 1)) / 1e6

/** The watched figure, the limit, and the figure that it is compared with; null: unknown. */
export function figureSeen(condition: Condition<'statistic'>, figures: SlotFigures) {
  const value = statisticOf(condition, figures) ?? countOfNone(condition, figures)
  if (!('by' in condition)) return { value, before: null, limit: condition.limit }
  const before = comparable(condition, figures)
  if (before === null) return { value, before: null, limit: null }
  const share = condition.by / 100
  const limit = before * (condition.is === 'falls' ? 1 - share : 1 + share)
  return { value, before, limit: Number(limit.toPrecision(12)) }
}

/** The older figure; null: it is missing or 0, or either of the two figures covers too few machines. */
function comparable(condition: ChangeCondition, figures: SlotFigures): number | null {
  const older = figures.ago(condition.within_hours)
  if (!older || isThin(condition, figures) || isThin(condition, older)) return null
  return statisticOf(condition, older) || null
}

/** Number of machines of a figure; undefined: it gives no measure of the figure's random movement. */
const machinesOf = (statistic: AlertStatistic, { total, available }: MarketFigure): number | undefined => {
  if (statistic.startsWith('avail_')) return available
  if (statistic.startsWith('rented_')) return total - available
  return statistic === 'occupancy' ? total : undefined
}

function isThin(condition: ChangeCondition, figures: OlderFigures): boolean {
  const market = figures.market(condition)
  const machines = market && machinesOf(condition.statistic, market)
  return machines !== undefined && machines < fewestMachines
}

/** The figure that a rule watches; null: the slot has none. */
function statisticOf(condition: Condition<'statistic'>, figures: OlderFigures): number | null {
  if (condition.statistic === 'fill_rate') return figures.fillRate(condition)
  if (condition.statistic === 'list_price') return figures.listPrice(condition.gpu_name, condition.gpu_memory)
  const market = figures.market(condition)
  if (!market) return null
  if (condition.statistic !== 'occupancy') return market[condition.statistic]
  const { rented_gpus, total_gpus } = market
  return total_gpus === 0 || rented_gpus === null ? null : rented_gpus / total_gpus
}

interface Remembered {
  remembered: number | null | undefined
  figures: SlotFigures
}

function waitReading(machine: MachineFigure, known: Remembered) {
  const { slot, waitOf } = known.figures
  const wait = waitOf(machine.id)
  return idleReading(
    { hours: wait ? waitingOf(wait, { since: slot, now: slot }).rare_hours : null },
    machine,
    known,
  )
}

/** `hours`: an idle time that is reported; null: none is known. */
function idleReading(
  { hours }: { hours: number | null },
  { id, rented }: MachineFigure,
  { remembered, figures: { slot, idleSince } }: Remembered,
) {
  if (rented > 0) return { isMet: false, isClear: true, value: 0, limit: hours, slots: 1, idle: null }
  const idle = remembered ?? (remembered === null ? slot : Math.min(slot, idleSince(id) ?? slot))
  const value = (slot - idle) / hour
  return { isMet: hours !== null && value >= hours, isClear: false, value, limit: hours, slots: 1, idle }
}

/** A listing with an unknown end has no reading. */
function endReading({ days }: Condition<'listing_ends'>, { ends }: MachineFigure, { slot }: SlotFigures) {
  if (ends === null) return undefined
  const value = (ends - slot) / day
  return { isMet: value <= days, isClear: value > days, value, limit: days, slots: 1 }
}

function bandReading({ slots }: Condition<'machine_price'>, machine: MachineFigure, figures: SlotFigures) {
  const { price } = machine
  const band = figures.market(classOf(machine))
  if (price === null || !band || band.available < fewestMachines) return undefined
  const { avail_p10: low, avail_p90: high } = band
  if (low === null || high === null) return undefined
  const isOutside = price < low || price > high
  return { isMet: isOutside, isClear: !isOutside, value: price, limit: price < low ? low : high, slots }
}
