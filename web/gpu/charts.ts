import { metricTitles } from '../../contract/chart-choices.ts'
import { colorsOf } from '../../contract/gpu-colors.ts'
import type { GpuHistory } from '../../contract/history.ts'
import { ceilTo } from '../../contract/ladder.ts'
import { keysOf } from '../../contract/records.ts'
import { type History, historyOf } from '../api/history.ts'
import type { Color } from '../charts/palette.ts'
import { type ChartSeries, type ChartSpec, fileName, type Mark, type Value } from '../charts/spec.ts'
import { day, figure } from '../format.ts'
import type { Metric, View } from '../view.ts'
import { subjectOf } from './subject.ts'
import { fillTimes } from './times.ts'

type Options = Pick<View, 'unit' | 'side' | 'score' | 'zone' | 'axis'>
/** The data of charts: the answer, and the way to show it. */
export interface ChartInput {
  history: History
  options: Options
  /** The earlier period to compare with. */
  before?: History | undefined
}
type Drawn = Omit<ChartSeries, 'values'> & { values: readonly Value[] }

const line = (label: string, color: Color, values: readonly Value[]): Drawn => ({
  label,
  group: label,
  color,
  role: 'line',
  values,
})

/** The rented units and all units in the counts of an answer. Without `hasRentals` the rented ones are unknown. */
function supplyOf({ supply_demand: counts }: GpuHistory, unit: View['unit'], { hasRentals }: History) {
  const [verified, unverified, all] =
    unit === 'gpus'
      ? [counts.rented_verified_gpus, counts.rented_unverified_gpus, counts.total_gpus]
      : [counts.rented_verified, counts.rented_unverified, counts.total]
  const rented = verified.map((value, index) => (hasRentals ? value + (unverified[index] ?? 0) : null))
  return { rented, available: all.map((value, index) => value - (rented[index] ?? 0)), total: all }
}

/** The note of charts whose source reports no rentals. */
export const rentalsUnknown = 'This source does not say which GPUs are rented.'

const bandNote = 'Lines are medians, bands hold the middle 80 % (p10 to p90); all weighted by GPUs.'

const share = (part: readonly Value[], whole: readonly number[]): Value[] =>
  part.map((value, index) => (value !== null && whole[index] ? value / whole[index] : null))

/** The score per dollar and hour at each price, with the score at the end of the range. */
const perDollar = (score: number | null, prices: readonly Value[]): Value[] =>
  prices.map((price) => (score === null || !price ? null : score / price))

/** Changes from the first known value, as shares of 1. */
function sinceFirst(values: readonly Value[]): Value[] {
  const first = values.find((value) => value !== null && value > 0)
  return values.map((value) => (value === null || !first ? null : value / first - 1))
}

const pricesOf = ({ pricing }: GpuHistory, side: View['side']) =>
  side === 'rented'
    ? { low: pricing.rented_p10, median: pricing.rented_median, high: pricing.rented_p90 }
    : { low: pricing.avail_p10, median: pricing.avail_median, high: pricing.avail_p90 }

/** A band from p10 to p90 with the median in it. */
const bandOf = (gpu: GpuHistory, side: View['side'], group: string, color: Color): Drawn[] => {
  const { low, median, high } = pricesOf(gpu, side)
  return [
    { label: `${group} p10`, group, color, role: 'low', values: low },
    { label: `${group} median`, group, color, role: 'line', values: median },
    { label: `${group} p90`, group, color, role: 'high', values: high },
  ]
}

/** The charts of a market, in the order of the page. */
export const metrics = keysOf(metricTitles).map((metric) => [metric, metricTitles[metric]] as const)

const scores = { dlperf: 'Deep-learning score', tflops: 'TFLOPS' }
const scoreOf = ({ stats }: GpuHistory, score: View['score']) => stats[score]

const titleOf = (metric: Metric, { score }: Options): string =>
  metric === 'value' ? scores[score] : metricTitles[metric]

const unitOf = (metric: Metric, { unit }: Options): ChartSpec['unit'] =>
  metric === 'price'
    ? 'USD per GPU-hour'
    : metric === 'supply'
      ? unit === 'gpus'
        ? 'GPUs'
        : 'machines'
      : metric === 'occupancy'
        ? 'rented share'
        : 'per USD per hour'

/** A chart of one GPU: both sides of its market. `own`: the prices of the visitor's machines, laid over it. */
export function chartOf(
  market: ChartInput,
  metric: Metric,
  name: string,
  own?: (places: readonly number[]) => ChartSeries[],
): ChartSpec {
  const { history, options } = market
  const gpu = historyOf(history, name)
  const series = gpu ? detailsOf(metric, gpu, market) : []
  const title = titleOf(metric, options)
  // The GPU type may not be chosen yet.
  const spec = specOf(market, metric, name === '' ? title : `${title} of ${name}`, series)
  if (metric === 'price') {
    spec.note ??= bandNote
    if (gpu && own) spec.series.push(...own(spec.places))
  }
  if (metric === 'price' || metric === 'occupancy')
    spec.series.push(...linesBefore(market, metric, name, spec.places))
  if (metric === 'value' && gpu) spec.note = noteOf(gpu, options)
  return spec
}

/** The lines of the earlier period, at the places of the present one. */
function linesBefore(
  { history, before, options }: ChartInput,
  metric: Metric,
  name: string,
  places: readonly number[],
): ChartSeries[] {
  const gpu = before && historyOf(before, name)
  if (!gpu || before.step !== history.step) return []
  const apart = history.end - before.end
  const indexOf = new Map(gpu.pricing.timestamps.map((time, index) => [time + apart, index]))
  const isPeriod = apart === ceilTo(history.step, history.end - history.start)
  const when = isPeriod ? 'period before' : 'week before'
  return detailsOf(metric, gpu, { history, options })
    .filter(({ role }) => role === 'line')
    .map((line) => ({
      ...line,
      label: `${line.label} (${when})`,
      group: `${line.group} (${when})`, // without a comma, since the address has a comma-separated list of groups
      dashed: true,
      values: places.map((place) => line.values[indexOf.get(place) ?? -1] ?? null),
    }))
}

function detailsOf(metric: Metric, gpu: GpuHistory, { history, options }: ChartInput): Drawn[] {
  const { unit, score } = options
  const supply = supplyOf(gpu, unit, history)
  const perScore = (side: View['side']) => perDollar(scoreOf(gpu, score), pricesOf(gpu, side).median)
  switch (metric) {
    case 'price':
      return [
        ...bandOf(gpu, 'rented', 'Rented', 'rented'),
        ...bandOf(gpu, 'available', 'Available', 'available'),
      ]
    case 'supply':
      return [
        { ...line('Rented', 'rented', supply.rented), role: 'layer' },
        { ...line('Available', 'available', supply.available), role: 'layer' },
      ]
    case 'occupancy':
      return [line('Rented ÷ total', 'rented', share(supply.rented, supply.total))]
    case 'value':
      return [
        line('Rented', 'rented', perScore('rented')),
        line('Available', 'available', perScore('available')),
      ]
  }
}

// With more bands than this, bands would cover each other.
const withBands = 3

/** A chart that compares GPUs: one line for each, of one side of the market. */
export function comparisonOf(market: ChartInput, metric: Metric, names: readonly string[]): ChartSpec {
  const { history, options } = market
  const isIndexed = metric === 'price' && options.axis === 'percent'
  const series = [...colorsOf(names)].flatMap(([name, color]): Drawn[] => {
    const gpu = historyOf(history, name)
    if (!gpu) return []
    if (metric === 'price' && names.length <= withBands && !isIndexed)
      return bandOf(gpu, options.side, name, color)
    const supply = supplyOf(gpu, options.unit, history)
    const { median } = pricesOf(gpu, options.side)
    const values = {
      price: isIndexed ? sinceFirst(median) : median,
      supply: supply[options.side],
      occupancy: share(supply.rented, supply.total),
      value: perDollar(scoreOf(gpu, options.score), median),
    }[metric]
    return [line(name, color, values)]
  })
  const side = metric === 'occupancy' ? '' : `, ${options.side}`
  const title = titleOf(metric, options)
  const spec = specOf(market, metric, `${title}${side}`, series)
  if (metric === 'price')
    spec.note = names.length <= withBands ? bandNote : 'Lines are medians, weighted by GPUs.'
  if (isIndexed) {
    spec.unit = 'since the start'
    spec.note = 'Change of each median since its first value in this range.'
  }
  if (metric === 'value')
    spec.note = `${scores[options.score]} per GPU (90th percentile, at the end of the range) ÷ median price.`
  return spec
}

function specOf({ history, options }: ChartInput, metric: Metric, title: string, series: Drawn[]): ChartSpec {
  const known = Object.values(history.gpus).find(({ pricing }) => pricing.timestamps.length > 0)
  const { times, spread } = fillTimes(known?.pricing.timestamps ?? [], history.step)
  return {
    name: fileName(title, history.simulated),
    title,
    subject: subjectOf(history, options.zone),
    ...(!history.hasRentals && { note: rentalsUnknown }),
    unit: unitOf(metric, options),
    simulated: history.simulated,
    zone: options.zone,
    daily: history.step % 86_400 === 0,
    places: times,
    series: series.map((one) => ({ ...one, values: spread(one.values) })),
    ...(history.officialBefore && { marks: [officialMark(history.officialBefore)] }),
  }
}

const officialMark = (place: number): Mark => ({
  label: `official, before ${day(place)}`,
  place,
  color: 'available',
})

const noteOf = (gpu: GpuHistory, { score }: Options): string =>
  `${scores[score]} per GPU (90th percentile, ${figure(scoreOf(gpu, score))} at the end of the range) ÷ median price.`
