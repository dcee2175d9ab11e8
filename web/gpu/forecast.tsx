import '../components/listing.css'
import type { z } from 'zod'
import type { forecastAnswer, GpuForecast } from '../../contract/forecast.ts'
import { useMarket } from '../api/queries.ts'
import { Status } from '../components/status.tsx'
import { count, moment, nothing, percent, price } from '../format.ts'
import { filtersOf, type View } from '../view.ts'

const rows = [
  ['rented_median', 'Median price, rented', price],
  ['avail_median', 'Median price, available', price],
  ['occupancy', 'Occupancy', percent],
] as const
const columns = ['Hour', 'Now', 'Forecast', '80 % band', 'Bands held', 'Error, now = 1'] as const

interface ForecastProps {
  view: View
  name: string
  /** The page says already that something is wrong. */
  isTold: boolean
}

/** What may come of one GPU type: forecasts with their bands, and how such forecasts fared. */
export function Forecast({ view, name, isTold }: ForecastProps) {
  const asked = useMarket<z.infer<typeof forecastAnswer>>(
    'forecast',
    { gpu_name: name, ...filtersOf(view) },
    name !== '',
  )
  const found = asked.data?.gpus[name]
  return (
    <section aria-label="Forecast">
      <h2>Forecast of {name}</h2>
      {!isTold && <Status of={[asked]} hasData={found !== undefined} />}
      <div class="listing">
        <table aria-busy={!found}>
          <caption class="unseen">Forecast</caption>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.flatMap(([measure, title, write]) =>
              [0, 1].map((index) => (
                <tr key={`${measure} ${index}`}>
                  <th scope="row">
                    {title}, {index === 0 ? 'in a day' : 'in 7 days'}
                  </th>
                  {cellsOf(found?.[measure][index], write, view.zone).map((text, cell) => (
                    <td key={columns[cell]} data-title={columns[cell]}>
                      {text}
                    </td>
                  ))}
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
      <p class="note">
        The bands are honest, the skill is small: a market says little about its future, and the forecast is
        mostly the present value. Bands are to hold 8 of 10 outcomes. An error below 1 is smaller than that of
        saying that all stays as it is. {found && recordWords(found)}
      </p>
    </section>
  )
}

type Figure = GpuForecast['occupancy'][number]

/** Of forecasts that were kept when they were made, where some were, else of those made again. */
const recordOf = ({ kept, record }: Figure): Figure['record'] => (kept.forecasts > 0 ? kept : record)

function cellsOf(
  figure: Figure | undefined,
  write: (value: number | null | undefined) => string,
  zone: View['zone'],
): string[] {
  if (!figure) return columns.map(() => nothing)
  const { at, now, value, low, high } = figure
  const { forecasts, coverage, error_ratio } = recordOf(figure)
  return [
    at === null ? nothing : moment(at, zone),
    write(now),
    write(value),
    value === null ? 'too little is known' : `${write(low)} to ${write(high)}`,
    coverage === null ? nothing : `${percent(coverage)} of ${count(forecasts)}`,
    error_ratio === null ? nothing : error_ratio.toFixed(2),
  ]
}

function recordWords(forecast: GpuForecast): string {
  const isKept = rows.some(([measure]) => forecast[measure].some(({ kept }) => kept.forecasts > 0))
  return isKept
    ? 'Bands held and error are of the forecasts of the last 30 days, as they were stored when they were made.'
    : 'Bands held and error are of the last 30 days, each forecast made again from the hours before it alone: none is stored yet for these machines whose outcome is known.'
}
