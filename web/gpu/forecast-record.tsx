import type { GpuForecast } from '../../contract/forecast.ts'
import { count, dateTime, nothing, percent, price, type Zone } from '../format.ts'

const rows = [
  ['rented_median', 'Rented median', price],
  ['avail_median', 'Available median', price],
  ['occupancy', 'Occupancy', percent],
] as const
const ends = ['in a day', 'in 7 days'] as const
const columns = ['For', 'Now', 'Forecast', '80 % band', 'Band was right', 'Error'] as const

interface RecordProps {
  forecast: GpuForecast
  zone: Zone
}

/** All figures of the forecasts, and the accuracy of such forecasts in the last 30 days. */
export const ForecastRecord = ({ forecast, zone }: RecordProps) => (
  <details class="fold">
    <summary>All figures, and how good such forecasts were</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
    <section class="listing" tabIndex={0} aria-label="Figures of the forecast">
      <table>
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
            ends.map((end, index) => (
              <Row
                key={`${measure} ${end}`}
                title={`${title}, ${end}`}
                cells={cellsOf(forecast[measure][index], write, zone)}
              />
            )),
          )}
          {ends.map((end, index) => (
            <Row
              key={end}
              title={`Available at ${forecast.available.price === null ? 'any price' : `${price(forecast.available.price)} or less`}, ${end}`}
              cells={cellsOf(forecast.available.figures[index], gpusWords, zone)}
            />
          ))}
        </tbody>
      </table>
    </section>
    <p class="note">
      Markets are hard to forecast: the forecast is mostly the present value. Bands should hold 80 % of
      outcomes. An error below 1 beats a forecast of no change. {recordWords(forecast)}
    </p>
  </details>
)

function Row({ title, cells }: { title: string; cells: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {cells.map((text, cell) => (
        <td key={columns[cell]}>{text}</td>
      ))}
    </tr>
  )
}

type Figure = GpuForecast['occupancy'][number]

const gpusWords = (gpus: number | null | undefined): string =>
  typeof gpus === 'number' ? `${count(Math.round(gpus))} GPUs` : nothing

/** The track record: of forecasts stored when they were made, or without stored ones of forecasts recomputed for the past. */
const recordOf = <Record extends Figure['record']>({
  kept,
  record,
}: {
  kept: Record
  record: Record
}): Record => (kept.forecasts > 0 ? kept : record)

function cellsOf(
  figure: Figure | undefined,
  write: (value: number | null | undefined) => string,
  zone: Zone,
): string[] {
  if (!figure) return columns.map(() => nothing)
  const { at, now, value, low, high } = figure
  const { forecasts, coverage, error_ratio } = recordOf(figure)
  return [
    at === null ? nothing : dateTime(at, zone),
    write(now),
    write(value),
    value === null ? 'not enough data' : `${write(low)} to ${write(high)}`,
    coverage === null ? nothing : `${percent(coverage)} of ${count(forecasts)}`,
    error_ratio === null ? nothing : error_ratio.toFixed(2),
  ]
}

function recordWords(forecast: GpuForecast): string {
  const isKept = rows.some(([measure]) => forecast[measure].some(({ kept }) => kept.forecasts > 0))
  return isKept
    ? 'The last two columns cover the forecasts of the last 30 days, as stored when they were made.'
    : 'The last two columns cover the last 30 days, with each forecast computed again from the hours before it only: no stored forecast for these machines has a known outcome yet.'
}
