import { setImmediate as pause } from 'node:timers/promises'
import { forecastAnswer, forecastQuery, type GpuForecast, horizons } from '../../../contract/forecast.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { forecastValue } from '../../../estimates/forecast.ts'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { marketRoute } from '../question/market-route.ts'
import { resolveNames } from '../question/resolve.ts'

const description = `Median prices and occupancy of GPU types a day and seven days ahead, with bands that hold 80 % of outcomes.

A market says little about its future: the forecast is mostly the present value, and its error hardly smaller. \`record\` says how the
forecasts of the last 30 days fared, each made from the hours before it alone. Parameters are those of the history without a range.`

const hour = 3600

/** 60 days to choose the way to forecast by, the 30 days before them that it looks back to, 30 of the record, and the horizon. */
const remembered = 130 * 24 * hour

const measures = {
  rented_median: { least: 0, most: Number.POSITIVE_INFINITY },
  avail_median: { least: 0, most: Number.POSITIVE_INFINITY },
  occupancy: { least: 0, most: 1 },
}
type Measure = keyof typeof measures
type HourRow = Record<Measure, number | null> & { gpu_name: string; hour: number }

export const forecastRoute = marketRoute({
  path: 'forecast',
  operationId: 'getGpuForecast',
  summary: 'Forecast of prices and occupancy',
  description,
  query: forecastQuery,
  answer: forecastAnswer,
  resolve: ({ gpu_name, ...filter }, { names, state }) => {
    // The hour of the newest slot is not over.
    const to = floorTo(hour, state.newest_slot)
    return {
      ...resolveNames(gpu_name, names),
      ...filter,
      from: Math.max(floorTo(hour, state.first_slot), to - remembered),
      to,
    }
  },
  open:
    ({ clickhouse }) =>
    async ({ names, known, ...range }) => {
      const query = loadSql('clickhouse/queries/forecast/hours')
      const rows = await selectRows<HourRow>(clickhouse, query, { ...range, names: known })
      const gpus: Record<string, GpuForecast> = {}
      for (const name of names) {
        const own = rows.filter((row) => row.gpu_name === name)
        gpus[name] = await forecastOf(own, range)
      }
      return { gpus }
    },
})

async function forecastOf(
  rows: readonly HourRow[],
  { from, to }: { from: number; to: number },
): Promise<GpuForecast> {
  const rowOf = new Map(rows.map((row) => [row.hour, row]))
  const hours = Array.from({ length: (to - from) / hour }, (_, index) => from + index * hour)
  const figures = async (measure: Measure) => {
    await pause() // others are answered in between
    const values = hours.map((start) => rowOf.get(start)?.[measure] ?? null)
    return horizons.map((ahead) => {
      const { forecast, record } = forecastValue(values, ahead, measures[measure])
      const { value = null, low = null, high = null } = forecast ?? {}
      const at = rows.length === 0 ? null : to + (ahead - 1) * hour
      return { hours: ahead, at, now: values.at(-1) ?? null, value, low, high, record }
    })
  }
  return {
    rented_median: await figures('rented_median'),
    avail_median: await figures('avail_median'),
    occupancy: await figures('occupancy'),
  }
}
