import { hour } from '../../contract/durations.ts'
import type { GpuForecast } from '../../contract/forecast.ts'
import { type History, historyOf } from '../api/history.ts'
import type { Color } from '../charts/palette.ts'
import { type ChartSpec, fileName, type Value } from '../charts/spec.ts'
import type { Zone } from '../format.ts'
import { rentedAt } from './pulse.ts'

type Measure = 'rented_median' | 'avail_median' | 'occupancy'

export const measures: readonly (readonly [Measure, string, Color, ChartSpec['unit']])[] = [
  ['rented_median', 'Rented median', 'rented', 'USD per GPU-hour'],
  ['avail_median', 'Available median', 'available', 'USD per GPU-hour'],
  ['occupancy', 'Occupancy', 'rented', 'rented share'],
]

type Figures = GpuForecast[Measure]
/** A time with a value and its band. */
type Point = [at: number, value: number, low: number, high: number]

const step = 6 * hour

/** The chart of a figure: its past, and its forecast as a fan behind the newest hour. */
export function fanChart(
  [measure, title, color, unit]: (typeof measures)[number],
  name: string,
  {
    history,
    figures,
    zone,
    simulated,
  }: { history: History | undefined; figures: Figures; zone: Zone; simulated: boolean },
): ChartSpec {
  const gpu = history && historyOf(history, name)
  const past = gpu ? pastOf(measure, gpu, history) : []
  const fan = fanOf(past.at(-1), figures)
  const places = [...past.map(([at]) => at), ...fan.map(([at]) => at)]
  const ahead = (of: (point: Point) => number): Value[] => [
    // The fan begins where the past ends.
    ...past.map(([, value], index) => (index === past.length - 1 && fan.length > 0 ? value : null)),
    ...fan.map(of),
  ]
  const forecast = { group: 'Forecast, 80 % band', color }
  return {
    name: fileName(`Forecast ${title} ${name}`, simulated),
    title,
    unit,
    zone,
    simulated,
    daily: false,
    places,
    series: [
      {
        label: title,
        group: title,
        color,
        role: 'line',
        values: [...past.map(([, value]) => value), ...fan.map(() => null)],
      },
      { ...forecast, label: 'Low', role: 'low', values: ahead(([, , low]) => low) },
      { ...forecast, label: 'Forecast', role: 'line', dashed: true, values: ahead(([, value]) => value) },
      { ...forecast, label: 'High', role: 'high', values: ahead(([, , , high]) => high) },
    ],
    marks: past.length > 0 && fan.length > 0 ? [{ label: 'now', place: past.at(-1)?.[0] ?? 0, color }] : [],
  }
}

function pastOf(
  measure: Measure,
  gpu: NonNullable<ReturnType<typeof historyOf>>,
  { hasRentals }: History,
): [number, number][] {
  const { timestamps, ...prices } = gpu.pricing
  const counts = gpu.supply_demand
  return timestamps.flatMap((at, index): [number, number][] => {
    const total = counts.total_gpus[index] ?? 0
    const rented = rentedAt(counts, index)
    const value =
      measure === 'occupancy'
        ? total > 0 && hasRentals
          ? rented / total
          : null
        : (prices[measure][index] ?? null)
    return value === null ? [] : [[at, value]]
  })
}

/** The points of the fan. Between the forecast times the band grows as the square root of the time, as the deviation of a random walk does. */
function fanOf(last: [number, number] | undefined, figures: Figures): Point[] {
  const known = figures.flatMap(({ at, value, low, high }): Point[] =>
    at === null || value === null || low === null || high === null ? [] : [[at, value, low, high]],
  )
  if (!last || known.length === 0) return []
  const [now, value] = last
  const corners: Point[] = [[now, value, value, value], ...known.filter(([at]) => at > now)]
  const end = corners.at(-1)?.[0] ?? now
  const points: Point[] = []
  for (let at = now + step; at < end; at += step) points.push(between(corners, at))
  return end > now ? [...points, between(corners, end)] : []
}

function between(corners: readonly Point[], at: number): Point {
  const start = corners[0]?.[0] ?? at
  const after = corners.findIndex(([corner]) => corner >= at)
  const [right, left] = [corners[after] ?? corners.at(-1), corners[after - 1]]
  if (!right || !left) return right ?? [at, 0, 0, 0]
  const root = (time: number) => Math.sqrt(time - start)
  const part = (root(at) - root(left[0])) / (root(right[0]) - root(left[0]))
  const mixed = (index: 1 | 2 | 3) => left[index] + part * (right[index] - left[index])
  return [at, mixed(1), mixed(2), mixed(3)]
}
