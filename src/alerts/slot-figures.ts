import type { AlertStatistic } from '../../contract/alert-kinds.ts'
import { hour } from '../../contract/durations.ts'
import type { MarketEvent } from '../../contract/events.ts'
import { normalName } from '../../contract/gpu-names.ts'
import type { priceFigures } from '../../contract/history-figures.ts'
import { type Filters, filterNames, filtersOfClass, type MachineClass } from '../../contract/market-filter.ts'
import type { Condition } from './rule.ts'
import type { WaitOf } from './waits.ts'

export interface Range {
  from: number
  to: number
}

export interface Slot {
  slot: number
  /** The previously evaluated slot. */
  previous: number
  interval: number
}

/** Machines of a GPU name that pass a filter, as the cube counts them. */
export interface Filter extends Record<keyof Filters, string | number> {
  gpu_name: string
}

type PriceFigure = (typeof priceFigures)[number]
/** Figures that rules watch and that are a column of alerts/market. */
type Watched = Exclude<AlertStatistic, 'occupancy' | 'fill_rate' | 'list_price'>

/** A row of the cube at a slot. */
export interface MarketFigure
  extends Filter,
    Record<PriceFigure, number | null>,
    Record<Exclude<Watched, PriceFigure | 'rented_gpus'>, number> {
  slot: number
  /** The size of memory of all its GPUs; 0: they have several, or `gpu_memory` is set. */
  only_memory: number
  /** Number of machines. */
  total: number
  available: number
  /** null: the source does not say which GPUs are rented. */
  rented_gpus: number | null
}

/** A machine at a slot. */
export interface MachineFigure extends MachineClass {
  slot: number
  id: number
  gpu_name: string
  free: number
  rented: number
  /** The price of its free GPUs; null: none is free. */
  price: number | null
  /** Unix seconds of the end of its listing; null: unknown. */
  ends: number | null
}

/** Figures of a slot, also of an older one, for rules on figures. */
export interface OlderFigures {
  market: (of: Filter) => MarketFigure | undefined
  /** Rentals per GPU-hour over the last seven days; null: too few data. */
  fillRate: (of: Filter) => number | null
  /** The lowest list price of a cloud, for one size of memory or for all (0); null: unknown. */
  listPrice: (name: string, gpu_memory: number) => number | null
}

/** All figures of a slot that rules may need. */
export interface SlotFigures extends OlderFigures {
  slot: number
  /** Seconds between slots. */
  interval: number
  /** The newest slot with data, for the age of the data. */
  newest: number
  /**
   * The sizes of memory that a GPU name ever had, GB. undefined: the market never had the name, or the slot may lack machines, so
   * that a missing count is not 0.
   */
  sizesOf: (gpu_name: string) => readonly number[] | undefined
  /** The slot this many hours before; undefined: there is none. */
  ago: (hours: number) => OlderFigures | undefined
  /** Events that became known since the slot before. */
  eventsOf: (condition: Condition<'event'>) => readonly MarketEvent[]
  /** The ids of the machines of an account, on the market or not. */
  ownedBy: (account: number) => readonly number[]
  machine: (id: number) => MachineFigure | undefined
  /** The usual wait of an idle machine at its price. */
  waitOf: WaitOf
  /** The time since which none of a machine's GPUs is rented, for a machine without a state from an earlier slot. */
  idleSince: (id: number) => number | undefined
}

/** The newest slot at or before a time, at most an hour or a slot before it; undefined: there is a gap. */
export function slotBefore(slots: Uint32Array, time: number, interval: number): number | undefined {
  let [low, high] = [0, slots.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((slots[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  const found = slots[low - 1]
  return found !== undefined && found > time - Math.max(hour, interval) ? found : undefined
}

/** The key of a filter. Names differ in case and spaces only. */
export const keyOf = (filter: Filter): string =>
  [...filterNames.map((name) => filter[name]), normalName(filter.gpu_name).toLowerCase()].join(' ')

/**
 * The keys of the filters that a row of the cube answers: if all GPUs have one size of memory, also the filter with that size.
 */
export const keysOf = (row: MarketFigure): string[] =>
  (row.only_memory === 0 ? [row.gpu_memory] : [0, row.only_memory]).map((gpu_memory) =>
    keyOf({ ...row, gpu_memory }),
  )

/** The class of a machine as a filter of the market. */
export const classOf = (machine: MachineFigure): Filter => ({
  ...filtersOfClass(machine),
  // Values are numbers, as in the cube.
  num_gpus: machine.num_gpus,
  gpu_memory: machine.gpu_memory,
  gpu_name: machine.gpu_name,
})
