import { day, hour } from '../../contract/durations.ts'
import { normalName, sameName } from '../../contract/gpu-names.ts'
import { floorTo } from '../../contract/ladder.ts'
import { filterNames, type MachineClass, passing } from '../../contract/market-filter.ts'
import { type SeenFlows, withSeenTimes } from '../../estimates/between-sights.ts'
import { fillRateOf } from '../../estimates/fill-rate.ts'
import { groupBy } from '../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import type { RuleMarket } from '../rules/markets.ts'
import { type Filter, keyOf, type MachineFigure, type MarketFigure, type Range } from './slot-figures.ts'

export const week = 7 * day

/** A row of alerts/fills. */
export interface FillRow extends MachineClass, SeenFlows {
  start: number
  gpu_name: string
}

interface Only {
  filters?: readonly Filter[]
  names?: readonly string[]
  slots?: readonly number[]
}

/** The market at some slots, for all filters or for some of them. */
export async function selectMarket(
  { clickhouse, series }: Pick<RuleMarket, 'clickhouse' | 'series'>,
  range: Range,
  { filters = [], names = filters.map(({ gpu_name }) => gpu_name), slots = [] }: Only = {},
): Promise<MarketFigure[]> {
  const { is_own, has_rentals } = await series.state()
  return selectRows(clickhouse, 'alerts/market', {
    ...range,
    own: Number(is_own),
    has_rentals: Number(has_rentals),
    slots,
    names: [...new Set(names)],
    gpus: filters.map(({ gpu_name }) => gpu_name),
    ...Object.fromEntries(filterNames.map((name) => [name, filters.map((filter) => filter[name])])),
  })
}

/** Machines at some slots: some of them, or all. */
export const selectMachines = (
  clickhouse: ClickHouse,
  range: Range,
  ids: readonly number[] = [],
): Promise<MachineFigure[]> => selectRows(clickhouse, 'alerts/machines', { ...range, ids })

export const selectFills = (
  clickhouse: ClickHouse,
  range: Range,
  { names = [], hourly = false }: { names?: readonly string[]; hourly?: boolean } = {},
): Promise<FillRow[]> => selectRows(clickhouse, 'alerts/fills', { ...range, names, hourly })

/** True if a class of machines passes a filter. */
export const passes = (of: Filter, row: Omit<FillRow, 'start'>): boolean =>
  sameName(of.gpu_name, row.gpu_name) && passing(of)(row)

export function rateOfFills(counted: readonly FillRow[]): number | null {
  const rows = withSeenTimes(counted)
  const events = rows.reduce((sum, row) => sum + row.rented_gpus, 0)
  const hours = rows.reduce((sum, row) => sum + row.exposed_seconds, 0) / hour
  return fillRateOf({ events, hours })?.value ?? null
}

/** Rentals in the seven days before a slot, in whole hours. */
export function selectWeekOfFills(clickhouse: ClickHouse, slot: number): Promise<FillRow[]> {
  const to = floorTo(hour, slot)
  return selectFills(clickhouse, { from: Math.max(0, to - week), to })
}

/** The fill rate of a filter, computed once for all rules that need it. */
export function sumFills(rows: readonly FillRow[]): (of: Filter) => number | null {
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
