import { hour } from '../contract/durations.ts'
import { ceilTo, floorTo, ladder, priceSteps, slotStep } from '../contract/ladder.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import type { Range } from './ranges.ts'
import { anchorOf, isSnapshot, type Observed } from './snapshot-slots.ts'
import type { Series } from './write-series.ts'

/** A part that ClickHouse found broken and set aside. */
export interface BrokenPart {
  server: string
  table: string
  part: string
  /** The time of its rows, as far as the name of its partition shows it. */
  range: Range
}

interface FoundPart extends Omit<BrokenPart, 'range'> {
  partition: string
}

interface Snapshot extends Observed {
  is_spooled: boolean
}

/** The latest time of a `DateTime` column. */
const endOfTime = 2 ** 32 - 1

export async function findBrokenParts({ clickhouse }: Series): Promise<BrokenPart[]> {
  const found = await selectRows<FoundPart>(clickhouse, 'mend/broken_parts')
  return found.map(({ partition, ...part }) => ({ ...part, range: rangeOfPartition(partition) }))
}

/** The month at the end of a partition's name. A table without partitions covers the whole series. */
export function rangeOfPartition(partition: string): Range {
  const [, year, month] = /(\d{4})(\d{2})$/.exec(partition) ?? []
  return year && month ? rangeOfMonth(Number(year), Number(month)) : { from: 0, to: endOfTime }
}

const rangeOfMonth = (year: number, month: number): Range => ({
  from: Date.UTC(year, month - 1) / 1000,
  to: Date.UTC(year, month) / 1000,
})

/**
 * Slots of some ranges with missing observations, in order: slots whose rows are still in the spool, and slots whose rows are
 * lost.
 */
export async function findShortSlots(
  series: Series,
  ranges: readonly Range[],
): Promise<{ spooled: number[]; lost: number[] }> {
  const { clickhouse } = series
  const spooled = new Set<number>()
  const lost = new Set<number>()
  const since = ceilTo(hour, series.since)
  const months = await selectRows<{ month: number }>(clickhouse, 'mend/short_months', { since })
  for (const { month } of months)
    for (const range of within(ranges, rangeOfMonth(Math.floor(month / 100), month % 100), since)) {
      const short = await selectRows<Observed>(clickhouse, 'mend/short_slots', { ...range })
      const isSpooled = short.length > 0 ? await spooledIn(series, range) : () => false
      for (const one of short) (isSpooled(one) ? spooled : lost).add(one.slot)
    }
  const inOrder = (slots: Set<number>) => [...slots].sort((a, b) => a - b)
  return { spooled: inOrder(spooled), lost: inOrder(lost) }
}

/** The parts of some ranges that are in another range and not before `since`. */
const within = (ranges: readonly Range[], other: Range, since: number): Range[] =>
  ranges
    .map(({ from, to }) => ({ from: Math.max(from, other.from, since), to: Math.min(to, other.to) }))
    .filter(({ from, to }) => from < to)

/** Returns the slots of a range whose snapshots are in the spool. */
async function spooledIn(
  { postgres }: Series,
  { from, to }: Range,
): Promise<(observed: Observed) => boolean> {
  const { rows } = await postgres.query<Snapshot>('check/snapshots', [from, to])
  const slots = new Set(rows.flatMap(({ slot, is_spooled }) => (is_spooled ? [slot] : [])))
  const anchor = await anchorOf(postgres)
  return (one) => slots.has(one.slot) && isSnapshot(one, anchor)
}

/** An hour, by its start in unix seconds, and the table whose rows it lacks. */
export interface LackingHour {
  table: string
  hour: number
}

/** Hours of some ranges of the ledger that lack rows which every hour has, in order. */
export async function findLackingHours(
  { clickhouse }: Series,
  ranges: readonly Range[],
): Promise<LackingHour[]> {
  const found: LackingHour[] = []
  for (const range of ranges)
    found.push(
      ...(await selectRows<LackingHour>(clickhouse, 'mend/lacking_hours', {
        ...range,
        steps: [slotStep, ...ladder],
        price_steps: [...priceSteps],
      })),
    )
  return found
}

/** Published days of some ranges that have no row of machine_days. */
export async function findDaysWithoutMachines(
  { clickhouse }: Series,
  ranges: readonly Range[],
): Promise<{ day: number }[]> {
  const found: { day: number }[] = []
  for (const range of ranges)
    found.push(...(await selectRows<{ day: number }>(clickhouse, 'mend/days_without_machines', { ...range })))
  return found
}

export const hourOf = (slot: number): number => floorTo(hour, slot)
