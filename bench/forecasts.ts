import { mean } from 'simple-statistics'
import { horizons } from '../contract/forecast.ts'
import { forecastAll, type HourlyValues, type Limits, recordOf } from '../estimates/forecast.ts'
import { readRealPrices } from './real-prices.ts'
import { simulateHours } from './simulated-hours.ts'

const hour = 3600
const positive = { least: 0, most: Number.POSITIVE_INFINITY }

/**
 * Prints the record of forecasts of all GPU types: the share of outcomes in their bands, and the error ÷ the error of the present value.
 * From a simulated market, by the hour.
 */
export async function measureForecasts(size: number, days: number): Promise<void> {
  const past = days * 24 * hour
  const types = await simulateHours({ seed: 1, size, anchor: 1_795_000_500, past, interval: hour })
  printHead('simulated market')
  const seriesOf = (measure: 'rented_median' | 'avail_median' | 'occupancy', limits: Limits) =>
    printFared(
      measure,
      types.map((type) => ({ values: type[measure], limits })),
    )
  seriesOf('rented_median', positive)
  seriesOf('avail_median', positive)
  seriesOf('occupancy', { least: 0, most: 1 })
  printFared(
    'available',
    types.map(({ available }) => countedSeries(available)),
  )
}

/** Measures forecasts of the spot prices in a folder in the same way. */
export function measureRealForecasts(folder: string | undefined): void {
  const markets = readRealPrices(folder)
  if (!markets) return
  printHead('spot prices')
  printFared(
    'avail_median',
    markets.map(({ prices: values }) => ({ values, limits: positive })),
  )
  printFared(
    'available',
    markets.map(({ counts }) => countedSeries(counts)),
  )
}

interface Series {
  values: HourlyValues
  limits: Limits
}

/** The probability is about a usual number of GPUs. */
function countedSeries(values: HourlyValues): Series {
  const known = values.flatMap((value) => value ?? []).sort((a, b) => a - b)
  return { values, limits: { ...positive, wanted: known[Math.floor(known.length / 2)] ?? 0 } }
}

const printHead = (of: string) =>
  console.log(`\n${of.padEnd(24)} types   held    least   most    error   worse   better  told    met`)

/** The record of GPU types whose figure changed. Errors cover all outcomes, not only the last 30 days. */
function printFared(measure: string, series: readonly Series[]): void {
  for (const horizon of horizons) {
    const known = series.flatMap(({ values, limits }) => {
      const { coverage, error_ratio, probability, met } = recordOf(
        forecastAll(values, horizon, limits).outcomes,
        limits,
      )
      const isKnown = coverage !== null && error_ratio !== null && probability !== null && met !== null
      return isKnown ? [{ coverage, error_ratio, probability, met }] : []
    })
    const of = (figure: (one: (typeof known)[number]) => number) => known.map(figure)
    const coverages = of(({ coverage }) => coverage)
    const ratios = of(({ error_ratio }) => error_ratio)
    // A difference of a thousandth counts as equal.
    const share = (passes: (ratio: number) => boolean) => ratios.filter(passes).length / known.length
    const figures = [
      mean(coverages),
      Math.min(...coverages),
      Math.max(...coverages),
      mean(ratios),
      share((ratio) => ratio > 1.001),
      share((ratio) => ratio < 0.999),
      mean(of(({ probability }) => probability)),
      mean(of(({ met }) => met)),
    ]
    console.log(
      `${measure} in ${horizon} h`.padEnd(24),
      `${known.length}`.padStart(5),
      ' ',
      figures.map((one) => one.toFixed(3)).join('   '),
    )
  }
}
