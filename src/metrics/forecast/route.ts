import { forecastAnswer, forecastQuery, type GpuForecast } from '../../../contract/forecast.ts'
import { marketRoute } from '../question/market-route.ts'
import { resolveNames } from '../question/resolve.ts'
import { isKept, openTrackRecord } from './kept.ts'
import { type Figures, forecastFigure, knownHours, type Measure, readFigures } from './market-forecast.ts'

const description = `Median prices and occupancy of GPU types a day and seven days ahead, with bands that hold 80 % of outcomes.

A market says little about its future: the forecast is mostly the present value, and its error hardly smaller. \`record\` says how the
forecasts of the last 30 days fare when each is made again from the hours before it alone, and \`kept\` how those fared that were stored when they were
made, without \`hosting_type\` and \`num_gpus\`. Parameters are those of the history without a range.`

const hour = 3600

export const forecastRoute = marketRoute({
  path: 'forecast',
  operationId: 'getGpuForecast',
  summary: 'Forecast of prices and occupancy',
  description,
  query: forecastQuery,
  answer: forecastAnswer,
  resolve: ({ gpu_name, ...filter }, { names, state }) => ({
    ...resolveNames(gpu_name, names),
    ...filter,
    ...knownHours(state),
  }),
  open:
    ({ clickhouse, postgres }) =>
    async ({ names, known, ...asked }) => {
      const figures = await readFigures(clickhouse, known, asked)
      const trackOf = await openTrackRecord(postgres, isKept(asked) ? known : [], asked)
      const gpus: Record<string, GpuForecast> = {}
      for (const name of names) {
        const of = figures.get(name)
        const figure = async (measure: Measure) =>
          (await forecastFigure(of ?? nothing, measure)).map(({ ahead, now, forecast, record }) => ({
            ...{ hours: ahead, at: of ? asked.to + (ahead - 1) * hour : null, now },
            ...{ value: forecast?.value ?? null, low: forecast?.low ?? null, high: forecast?.high ?? null },
            ...{ record, kept: trackOf(name, of ?? nothing, { measure, ahead }) },
          }))
        gpus[name] = {
          rented_median: await figure('rented_median'),
          avail_median: await figure('avail_median'),
          occupancy: await figure('occupancy'),
        }
      }
      return { gpus }
    },
})

const nothing: Figures = { rented_median: [], avail_median: [], occupancy: [] }
