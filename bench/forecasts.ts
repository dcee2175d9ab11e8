import { mean } from 'simple-statistics'
import { horizons } from '../contract/forecast.ts'
import { forecastAll, type HourlyValues, type Limits, recordOf } from '../estimates/forecast.ts'
import { groupBy } from '../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { readRealPrices } from './real-prices.ts'

const measures = { rented_median: 100, avail_median: 100, occupancy: 1 }
type Measure = keyof typeof measures
type HourRow = Record<Measure, number | null> & { gpu_name: string; hour: number }

/** How forecasts of all GPU types of a simulated market fared: what bands held, and their error ÷ that of the present value. */
export async function measureForecasts(clickhouse: ClickHouse): Promise<void> {
  const names = await selectRows<{ name: string }>(clickhouse, loadSql('clickhouse/queries/names/list'))
  const everything = { verified: 'all', hosting_type: 'all', num_gpus: 0, from: 0, to: 4_000_000_000 }
  const select = <Row>(name: string, more: { names: string[]; prices?: number[] }) =>
    selectRows<Row>(clickhouse, loadSql(`clickhouse/queries/forecast/${name}`), { ...everything, ...more })
  const rows = await select<HourRow>('hours', { names: names.map(({ name }) => name) })
  const markets = [...groupBy(rows, ({ gpu_name }) => gpu_name)].map(([name, hours]) => ({
    name,
    hours: hours.sort((a, b) => a.hour - b.hour), // without gaps
  }))
  printHead('simulated market')
  for (const measure of Object.keys(measures) as Measure[]) {
    const limits = { least: 0, most: measures[measure] }
    const series = markets.map(({ hours }) => ({ values: hours.map((row) => row[measure]), limits }))
    printFared(measure, series)
  }
  // At the median price in the middle of the time, as if it had been asked for then.
  const asked = markets.flatMap(({ name, hours }) => {
    const price = hours[Math.floor(hours.length / 2)]?.avail_median
    return price ? [{ name, hours, price }] : []
  })
  const counts = await select<{ gpu_name: string; at: number; summed: number }>('available', {
    ...{ names: asked.map(({ name }) => name), prices: asked.map(({ price }) => price) },
  })
  const ofName = groupBy(counts, ({ gpu_name }) => gpu_name)
  const available = asked.map(({ name, hours }) => {
    const at = new Map(ofName.get(name)?.map((row) => [row.at, row.summed]))
    return hours.map(({ hour }) => at.get(hour) ?? 0)
  })
  printFared('available', available.map(countedSeries))
}

/** The same of a history of spot prices in a folder. */
export function measureRealForecasts(folder: string | undefined): void {
  const markets = readRealPrices(folder)
  if (!markets) return
  printHead('spot prices')
  const limits = { least: 0, most: Number.POSITIVE_INFINITY }
  printFared(
    'avail_median',
    markets.map(({ prices: values }) => ({ values, limits })),
  )
  printFared('available', markets.map(({ counts }) => counts).map(countedSeries))
}

interface Series {
  values: HourlyValues
  limits: Limits
}

/** The probability is that of a usual number. */
function countedSeries(values: HourlyValues): Series {
  const known = values.flatMap((value) => value ?? []).sort((a, b) => a - b)
  const wanted = known[Math.floor(known.length / 2)] ?? 0
  return { values, limits: { least: 0, most: Number.POSITIVE_INFINITY, wanted } }
}

const printHead = (of: string) =>
  console.log(`\n${of.padEnd(24)} types   held  lowest  highest  error  no worse  better  told    met`)

/** Of GPU types whose figure moved. Errors are those of all outcomes, not of the last 30 days only. */
function printFared(measure: string, series: readonly Series[]): void {
  for (const horizon of horizons) {
    const known = series.flatMap(({ values, limits }) => {
      const { outcomes } = forecastAll(values, horizon, limits)
      const { coverage, error_ratio, probability, met } = recordOf(outcomes, limits)
      return coverage === null || error_ratio === null
        ? []
        : [{ coverage, error_ratio, probability: probability ?? 0, met: met ?? 0 }]
    })
    const of = (figure: (one: (typeof known)[number]) => number) => known.map(figure)
    const share = (passes: (ratio: number) => boolean) =>
      known.filter((one) => passes(one.error_ratio)).length / known.length
    const figures = [
      ...[mean(of((one) => one.coverage)), Math.min(...of((one) => one.coverage))],
      ...[Math.max(...of((one) => one.coverage)), mean(of((one) => one.error_ratio))],
      ...[share((ratio) => ratio <= 1), share((ratio) => ratio < 1)],
      ...[mean(of((one) => one.probability)), mean(of((one) => one.met))],
    ]
    const written = known.length === 0 ? 'nothing moved' : figures.map((one) => one.toFixed(3)).join('   ')
    console.log(`${measure} in ${horizon} h`.padEnd(24), `${known.length}`.padStart(5), ' ', written)
  }
}
