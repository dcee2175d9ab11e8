import { hour } from '../../../contract/durations.ts'
import type { HourlyValues } from '../../../estimates/forecast.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { selectHistogram } from '../market-query/select.ts'
import { timelineOf } from '../market-query/timeline.ts'
import type { Figures, ForecastFilter, Hours } from './market-forecast.ts'

/** Seconds of books that are cached: 30 days for the track record, 30 days before them for its bands, and a margin. Books are large. */
const remembered = 70 * 24 * hour

/** The default price: the median available price of the newest hour that has one. */
export const usualPrice = ({ avail_median }: Figures): number | null =>
  avail_median.findLast((price) => price !== null) ?? null

/** The filter and the hours of a forecast, with the slots that readers may see. */
export interface Books extends ForecastFilter, Hours {
  slots: Uint32Array
}

/**
 * The number of GPUs available at a price or less, as a mean over each hour, by GPU name; null: an hour without a slot. The
 * worker reads all names of a large market, and waits as long as that takes.
 */
export async function readAvailable(
  clickhouse: ClickHouse,
  priceOf: ReadonlyMap<string, number>,
  { slots, ...filter }: Books,
  isPatient = false,
): Promise<Map<string, HourlyValues>> {
  const [names, prices] = [[...priceOf.keys()], [...priceOf.values()]]
  if (names.length === 0) return new Map()
  const range = { from: Math.max(filter.from, filter.to - remembered), to: filter.to }
  const meanIn = openMeans(slots, range)
  const select = isPatient ? selectRows : selectHistogram
  const rows = await select<{ gpu_name: string; at: number; summed: number }>(
    clickhouse,
    loadSql('clickhouse/queries/forecast/available'),
    { names, prices, ...filter, ...range },
  )
  const summed = new Map(names.map((name) => [name, new Map<number, number>()]))
  for (const row of rows) summed.get(row.gpu_name)?.set(row.at, row.summed)
  const hours = Array.from(
    { length: (range.to - range.from) / hour },
    (_, index) => range.from + index * hour,
  )
  return new Map(names.map((name) => [name, hours.map((at) => meanIn(at, summed.get(name)?.get(at)))]))
}

/** The number of GPUs available at a price or less in an hour, for several pairs of price and hour; null: an hour without a slot. */
export async function readAvailableThen(
  clickhouse: ClickHouse,
  asked: readonly { at: number; price: number }[],
  { name, verified, slots, from, to }: Pick<Books, 'verified' | 'slots'> & Hours & { name: string },
) {
  const rows =
    asked.length === 0
      ? []
      : await selectRows<{ at: number; price: number; summed: number }>(
          clickhouse,
          'forecast/available_then',
          { name, verified, hours: asked.map(({ at }) => at), prices: asked.map(({ price }) => price) },
        )
  const keyOf = (of: { at: number; price: number }) => `${of.at} ${of.price}`
  const summed = new Map(rows.map((row) => [keyOf(row), row.summed]))
  const meanIn = openMeans(slots, { from, to })
  return (one: { at: number; price: number }): number | null => meanIn(one.at, summed.get(keyOf(one)))
}

/** The mean of a sum over the slots of an hour; null: the hour has none. */
function openMeans(slots: Uint32Array, range: Hours) {
  const { start, slots: counts } = timelineOf(slots, { step: hour, ...range })
  const countOf = new Map(start.map((at, index) => [at, counts[index] ?? 0]))
  return (at: number, sum = 0): number | null => {
    const count = countOf.get(at) ?? 0
    return count > 0 ? sum / count : null
  }
}
