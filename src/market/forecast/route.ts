import { hour } from '../../../contract/durations.ts'
import { forecastAnswer, forecastQuery, type GpuForecast } from '../../../contract/forecast.ts'
import type { ForecastRecord } from '../../../estimates/forecast.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveNames } from '../market-query/resolve.ts'
import { readAvailable, usualPrice } from './available.ts'
import {
  type Figures,
  forecastAvailable,
  forecastFigure,
  knownHours,
  type Measure,
  readFigures,
} from './market-forecast.ts'
import { isStored, openTrackRecord } from './stored.ts'

const description = `Median prices and occupancy of GPU types one day and seven days ahead, and the number of GPUs available at a price or less, each
with a band that holds 80 % of outcomes and the probability that there are enough. Markets are hard to forecast: the forecast is mostly the present
value, and its error is hardly smaller. \`record\` is the accuracy of forecasts of the last 30 days, each computed again from the hours before it
only. \`kept\` is the accuracy of those stored when they were made, without other filters than \`verified\`. Parameters are those of the history,
without a range.`

export const forecastRoute = marketRoute({
  path: 'forecast',
  isOfCube: true,
  operationId: 'getGpuForecast',
  summary: 'Forecast of prices, occupancy and availability',
  description,
  lasts: hour,
  query: forecastQuery,
  answer: forecastAnswer,
  resolve: ({ gpu_name, ...filter }, { names, state }) => ({
    ...resolveNames(gpu_name, names),
    ...filter,
    own: Number(state.is_own),
    has_rentals: Number(state.has_rentals),
    ...knownHours(state),
  }),
  open:
    ({ clickhouse, postgres }) =>
    async ({ names, known, gpus: wanted, price, ...asked }, { slots }) => {
      const books = { ...asked, slots }
      const figures = await readFigures(clickhouse, known, asked)
      const prices = known.map((name) => [name, price ?? usualPrice(figures.get(name) ?? nothing)] as const)
      const asks = prices.flatMap(([name, most]) => (most === null ? [] : [[name, most] as const]))
      const available = await readAvailable(clickhouse, new Map(asks), books)
      const trackOf = await openTrackRecord({ clickhouse, postgres }, isStored(asked) ? known : [], books)
      const priceOf = new Map(prices)
      const gpus: Record<string, GpuForecast> = {}
      for (const name of names) {
        const of = figures.get(name)
        const kept = (measure: Measure | 'available', ahead: number) =>
          trackOf(name, of ?? nothing, { measure, ahead })
        const toldOf = ({ ahead, now, forecast }: Forecast) => ({
          hours: ahead,
          at: of ? asked.to + (ahead - 1) * hour : null,
          now,
          value: forecast?.value ?? null,
          low: forecast?.low ?? null,
          high: forecast?.high ?? null,
        })
        const figure = async (measure: Measure) =>
          (await forecastFigure(of ?? nothing, measure)).map((one) => ({
            ...toldOf(one),
            record: ofBand(one.record),
            kept: ofBand(kept(measure, one.ahead)),
          }))
        const counts = await forecastAvailable(available.get(name) ?? [], wanted)
        gpus[name] = {
          rented_median: await figure('rented_median'),
          avail_median: await figure('avail_median'),
          occupancy: await figure('occupancy'),
          available: {
            gpus: wanted,
            price: priceOf.get(name) ?? price ?? null,
            figures: counts.map((one) => ({
              ...toldOf(one),
              probability: one.forecast?.probability ?? null,
              record: one.record,
              kept: kept('available', one.ahead),
            })),
          },
        }
      }
      return { gpus }
    },
})

type Forecast = Awaited<ReturnType<typeof forecastAvailable>>[number]

const ofBand = ({ forecasts, coverage, error_ratio }: ForecastRecord): ForecastRecord => ({
  forecasts,
  coverage,
  error_ratio,
})

const nothing: Figures = { rented_median: [], avail_median: [], occupancy: [] }
