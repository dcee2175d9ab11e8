import { setImmediate as pause } from 'node:timers/promises'
import { hour } from '../../../contract/durations.ts'
import { horizons } from '../../../contract/forecast.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { keysOf } from '../../../contract/records.ts'
import { forecastValue, type HourlyValues, type Limits } from '../../../estimates/forecast.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesState } from '../market-query/series.ts'

/**
 * Seconds of history for forecasts: 60 days to choose the method, 30 days before them that the methods look back on, 30 days for the track record,
 * and the horizon.
 */
const remembered = 130 * 24 * hour

const positive = { least: 0, most: Number.POSITIVE_INFINITY }
const limits = { rented_median: positive, avail_median: positive, occupancy: { least: 0, most: 1 } }
export type Measure = keyof typeof limits
export const measures = keysOf(limits)

/** The machines of a forecast, by the filters of the history. */
export interface ForecastFilter {
  /** 1 where prices of few rented GPUs are not shown. */
  own: number
  /** 0 if the source does not report which GPUs are rented. */
  has_rentals: number
  verified: string
  hosting_type: string
  num_gpus: number
  gpu_memory: number
}

/** Whole hours, unix seconds; `to` is exclusive. */
export interface Hours {
  from: number
  to: number
}

/** The hours that forecasts are made from: all before the hour of the newest slot, which is not over yet. */
export function knownHours({
  first_slot,
  newest_slot,
}: Pick<SeriesState, 'first_slot' | 'newest_slot'>): Hours {
  const to = floorTo(hour, newest_slot)
  return { from: Math.max(floorTo(hour, first_slot), to - remembered), to }
}

type HourRow = Record<Measure, number | null> & { gpu_name: string; hour: number }

/** The figures that are forecast, one value per hour of a range; null: unknown. */
export type Figures = Record<Measure, (number | null)[]>

export async function readFigures(
  clickhouse: ClickHouse,
  names: readonly string[],
  { from, to, ...filter }: ForecastFilter & Hours,
): Promise<Map<string, Figures>> {
  const query = 'forecast/hours'
  const rows = await selectRows<HourRow>(clickhouse, query, { names, ...filter, from, to })
  const empty = () => Array.from<unknown, number | null>({ length: (to - from) / hour }, () => null)
  const found = new Map<string, Figures>()
  for (const row of rows) {
    const of = found.get(row.gpu_name) ?? {
      rented_median: empty(),
      avail_median: empty(),
      occupancy: empty(),
    }
    for (const measure of measures) of[measure][(row.hour - from) / hour] = row[measure]
    found.set(row.gpu_name, of)
  }
  return found
}

export const forecastFigure = (figures: Figures, measure: Measure) =>
  forecastBy(figures[measure], limits[measure])

/** Forecasts the number of GPUs available at a price or less, and the probability that at least `wanted` are. */
export const forecastAvailable = (counts: HourlyValues, wanted: number) =>
  forecastBy(counts, { ...positive, wanted })

/** Forecasts a figure for each horizon. Other requests are answered between the horizons. */
async function forecastBy(values: HourlyValues, of: Limits) {
  const found = []
  for (const ahead of horizons) {
    await pause()
    found.push({ ahead, now: values.at(-1) ?? null, ...forecastValue(values, ahead, of) })
  }
  return found
}
