import '../components/listing.css'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { forecastAnswer, GpuForecast } from '../../contract/forecast.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { requestJson } from '../api/client.ts'
import { newestSlot } from '../api/freshness.ts'
import { marketPath } from '../api/history.ts'
import { Status } from '../components/status.tsx'
import { count, dateTime, nothing, percent, price } from '../format.ts'
import { key } from '../session.ts'
import type { View } from '../view.ts'

const rows = [
  ['rented_median', 'Median price, rented', price],
  ['avail_median', 'Median price, available', price],
  ['occupancy', 'Occupancy', percent],
] as const
const ends = ['in a day', 'in 7 days'] as const
const columns = [
  'For',
  'Now',
  'Forecast',
  '80 % band',
  'Band was right',
  'Error (1: no better than now)',
] as const

interface ForecastProps {
  view: View
  name: string
  /** True if the page already reports an error. */
  isTold: boolean
}

/** The forecasts of one GPU type with their bands, and their track record. */
export function Forecast({ view, name, isTold }: ForecastProps) {
  const wanted = { gpus: view.need, price: view.most || undefined }
  const question = { gpu_name: name, ...filterOf(view), ...wanted }
  const asked = useQuery({
    // The forecast changes with the hour of the newest slot, not with each slot.
    queryKey: ['forecast', key.value, question, Math.floor(newestSlot.value / 3600)],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof forecastAnswer>>(marketPath('forecast', question, 0), { signal }),
    placeholderData: keepPreviousData,
    enabled: name !== '',
  })
  const found = asked.data?.gpus[name]
  const most = found?.available.price ?? (Number(view.most) || null)
  return (
    <section aria-label="Forecast">
      <h2>Forecast of {name}</h2>
      {!isTold && <Status of={[asked]} hasData={found !== undefined} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section class="listing forecast" tabIndex={0} aria-label="Figures of the forecast">
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
              ends.map((end, index) => (
                <Row
                  key={`${measure} ${end}`}
                  title={`${title}, ${end}`}
                  cells={cellsOf(found?.[measure][index], write, view.zone)}
                />
              )),
            )}
            {ends.map((end, index) => (
              <Row
                key={end}
                title={`Available at ${most === null ? 'any price' : `${price(most)} or less`}, ${end}`}
                cells={cellsOf(found?.available.figures[index], gpusWords, view.zone)}
              />
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">
        {found && enoughWords(found.available)} Set the number of GPUs and the price in “Find GPUs” above. The
        default price is the present median.
      </p>
      <p class="note">
        Markets are hard to forecast: the forecast is mostly the present value. Bands should hold 80 % of
        outcomes. An error below 1 beats a forecast of no change. {found && recordWords(found)}
      </p>
    </section>
  )
}

function Row({ title, cells }: { title: string; cells: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {cells.map((text, cell) => (
        <td key={columns[cell]} data-title={columns[cell]}>
          {text}
        </td>
      ))}
    </tr>
  )
}

type Figure = GpuForecast['occupancy'][number]
type Available = GpuForecast['available']

const gpusWords = (gpus: number | null | undefined): string =>
  typeof gpus === 'number' ? `${count(Math.round(gpus))} GPUs` : nothing

/** The probability that enough GPUs are available, and the track record of such probabilities. */
function enoughWords({ gpus, price: most, figures }: Available): string {
  const told = figures.flatMap((figure, index) => {
    if (figure.probability === null) return []
    const { probability, met } = recordOf(figure)
    const fared =
      met === null ? '' : ` (forecast ${percent(probability)} on average, outcome ${percent(met)})`
    return [`${ends[index]} ${percent(figure.probability)}${fared}`]
  })
  if (told.length === 0 || most === null) return ''
  const what = `${count(gpus)} ${gpus === 1 ? 'GPU is' : 'GPUs are'} available at ${price(most)} or less`
  return `How likely ${what}: ${told.join(', ')}.`
}

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
  zone: View['zone'],
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
