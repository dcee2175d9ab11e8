import { mean } from 'simple-statistics'
import { horizons } from '../contract/forecast.ts'
import { type ForecastRecord, forecastValue } from '../estimates/forecast.ts'
import { groupBy } from '../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql-files.ts'

const measures = { rented_median: 100, avail_median: 100, occupancy: 1 }
type Measure = keyof typeof measures
type HourRow = Record<Measure, number | null> & { gpu_name: string; hour: number }

/** How forecasts of all GPU types fared in the last 30 days: what bands held, and their error ÷ that of the present value. */
export async function measureForecasts(clickhouse: ClickHouse): Promise<void> {
  const names = await selectRows<{ name: string }>(clickhouse, loadSql('clickhouse/queries/names/list'))
  const rows = await selectRows<HourRow>(clickhouse, loadSql('clickhouse/queries/forecast/hours'), {
    ...{ names: names.map(({ name }) => name), verified: 'all', hosting_type: 'all', num_gpus: 0 },
    ...{ from: 0, to: 4_000_000_000 },
  })
  const markets = [...groupBy(rows, ({ gpu_name }) => gpu_name).values()].map((hours) =>
    hours.sort((a, b) => a.hour - b.hour),
  )
  console.log('\nforecast                 types   held  error   better')
  for (const measure of Object.keys(measures) as Measure[])
    for (const horizon of horizons) {
      const limits = { least: 0, most: measures[measure] }
      const records = markets.map(
        (hours) =>
          forecastValue(
            hours.map((row) => row[measure]),
            horizon,
            limits,
          ).record, // of hours without gaps
      )
      console.log(`${measure} in ${horizon} h`.padEnd(24), summaryOf(records))
    }
}

function summaryOf(records: readonly ForecastRecord[]): string {
  const known = records.flatMap(({ coverage, error_ratio }) =>
    coverage === null || error_ratio === null ? [] : [{ coverage, error_ratio }],
  )
  if (known.length === 0) return 'nothing moved'
  const held = mean(known.map(({ coverage }) => coverage))
  const error = mean(known.map(({ error_ratio }) => error_ratio))
  const better = known.filter(({ error_ratio }) => error_ratio < 1).length / known.length
  return (
    `${known.length}`.padStart(5) +
    [held, error, better].map((figure) => figure.toFixed(3).padStart(7)).join('')
  )
}
