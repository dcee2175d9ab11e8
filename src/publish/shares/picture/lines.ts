import { colorsOf } from '../../../../contract/gpu-colors.ts'
import type { GpuHistory } from '../../../../contract/history.ts'
import type { SharedChart } from '../../../../contract/shares.ts'

type Value = number | null

/** A line of a picture. */
export interface Line {
  name: string
  color: string
  times: readonly number[]
  values: readonly Value[]
}

/** The format of a line's values. */
export type Unit = 'price' | 'change' | 'share' | 'score' | SharedChart['unit']

/** The palette of web/tokens.css on a light background. */
export const gpuColors = '#17745d #c54300 #6f21b8 #2a99e6 #6a1411 #859a74 #112c47 #ae7693'.split(' ')
export const [rented = '', available = ''] = gpuColors

interface Reading extends Pick<SharedChart, 'metric' | 'unit' | 'side' | 'score' | 'axis'> {
  /** False: no source reports which GPUs are rented. */
  hasRentals: boolean
}

/** The lines of a shared chart, without the bands of its page: both sides of one GPU type, or one side of several. */
export function linesOf(chart: Reading, gpus: Readonly<Record<string, GpuHistory>>): Line[] {
  const [[, only] = [], ...others] = Object.entries(gpus)
  if (only && others.length === 0) {
    const line = (name: string, side: SharedChart['side'], color: string): Line => ({
      name,
      color,
      times: only.pricing.timestamps,
      values: valuesOf({ ...chart, side, axis: 'usd' }, only),
    })
    return chart.metric === 'occupancy'
      ? [line('Rented ÷ total', 'rented', rented)]
      : [line('Rented', 'rented', rented), line('Available', 'available', available)]
  }
  const colors = colorsOf(Object.keys(gpus))
  return Object.entries(gpus).map(([name, gpu]) => ({
    name,
    color: gpuColors[colors.get(name) ?? 0] ?? rented,
    times: gpu.pricing.timestamps,
    values: valuesOf(chart, gpu),
  }))
}

export function unitOf(
  { metric, unit, axis }: Pick<Reading, 'metric' | 'unit' | 'axis'>,
  isOne: boolean,
): Unit {
  if (metric === 'price') return axis === 'percent' && !isOne ? 'change' : 'price'
  return ({ supply: unit, occupancy: 'share', value: 'score' } as const)[metric]
}

function valuesOf({ metric, unit, side, score, axis, hasRentals }: Reading, gpu: GpuHistory): Value[] {
  const { pricing, stats } = gpu
  const counts = countsOf(gpu, unit)
  const prices = side === 'rented' ? pricing.rented_median : pricing.avail_median
  switch (metric) {
    case 'price':
      return axis === 'percent' ? sinceFirst(prices) : prices
    case 'supply':
      return counts.map(({ rented, total }) =>
        side === 'available' ? total - rented : hasRentals ? rented : null,
      )
    case 'occupancy':
      return counts.map(({ rented, total }) => (total > 0 && hasRentals ? rented / total : null))
    case 'value':
      return prices.map((price) => (stats[score] === null || !price ? null : stats[score] / price))
  }
}

function countsOf({ supply_demand: counts }: GpuHistory, unit: SharedChart['unit']) {
  const [verified, unverified, all] =
    unit === 'gpus'
      ? [counts.rented_verified_gpus, counts.rented_unverified_gpus, counts.total_gpus]
      : [counts.rented_verified, counts.rented_unverified, counts.total]
  return all.map((total, at) => ({ total, rented: (verified[at] ?? 0) + (unverified[at] ?? 0) }))
}

function sinceFirst(values: readonly Value[]): Value[] {
  const first = values.find((value) => value !== null && value > 0)
  return values.map((value) => (value === null || !first ? null : value / first - 1))
}
