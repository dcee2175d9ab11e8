import type { OwnFigures } from '../../contract/machines.ts'
import type { Estimate } from '../../estimates/fill-rate.ts'
import type { IncomePoint } from '../../estimates/income-curve.ts'
import { type ChartSeries, type ChartSpec, fileName, type Mark, type Value } from '../charts/spec.ts'
import { perDay } from './outlook.ts'

type About = Pick<ChartSpec, 'simulated' | 'subject' | 'zone'>

const grain = 160

/** Prices close enough for a smooth curve, including the prices at which it jumps. */
export function pricesBetween(from: number, to: number, jumps: readonly number[]): number[] {
  const apart = (to - from) / grain
  const even = Array.from({ length: grain + 1 }, (_, index) => Number((from + index * apart).toFixed(9)))
  const near = jumps.filter((price) => price >= from && price <= to)
  return [...new Set([...even, ...near])].sort((one, other) => one - other)
}

/** An estimate along the prices of a curve as a line in its band. */
function bandOf(
  group: string,
  points: readonly IncomePoint[],
  of: (point: IncomePoint) => Estimate | null,
): ChartSeries[] {
  const part = (role: ChartSeries['role'], label: string, end: keyof Estimate): ChartSeries => ({
    label,
    group,
    color: 'own',
    role,
    values: points.map((point): Value => of(point)?.[end] ?? null),
  })
  return [
    part('low', `${group}, low`, 'low'),
    part('line', group, 'value'),
    part('high', `${group}, high`, 'high'),
  ]
}

const specOf = (
  what: string,
  name: string,
  points: readonly IncomePoint[],
  about: About,
): Omit<ChartSpec, 'unit' | 'series'> => ({
  ...about,
  name: fileName(`${what} of ${name}`, about.simulated),
  title: `${what} by price`,
  axis: 'price',
  places: points.some(({ income }) => income) ? points.map(({ price }) => price) : [],
  daily: false,
})

/** The income of a day at each price. */
export const incomeChart = (
  name: string,
  points: readonly IncomePoint[],
  marks: Mark[],
  about: About,
): ChartSpec => ({
  ...specOf('Income a day', name, points, about),
  unit: 'USD a day',
  note: 'Price × GPUs × 24 h × expected occupancy, with its 95 % interval. The line stops where there are too few observations.',
  series: bandOf('Income a day', points, ({ income }) => income && perDay(income)),
  marks,
})

/** The expected occupancy at each price. */
export const occupancyChart = (
  name: string,
  points: readonly IncomePoint[],
  marks: Mark[],
  about: About,
): ChartSpec => ({
  ...specOf('Expected occupancy', name, points, about),
  unit: 'rented share',
  note: 'The share of time that a GPU is rented, from the fill and return rates of such GPUs over 7 days.',
  series: bandOf('Expected occupancy', points, ({ occupancy }) => occupancy),
  marks,
})

/** The asking prices of a machine over time. */
export function priceHistoryChart(
  id: number,
  { timestamps, price }: OwnFigures['price_history'],
  until: number,
  about: About,
): ChartSpec {
  const last = price.at(-1)
  return {
    ...about,
    name: `rackrate-price-history-of-machine-${id}`,
    title: `Price history of machine ${id}`,
    unit: 'USD per GPU-hour',
    note: 'Its price over the last 30 days. While the whole machine was rented, the line shows the last known price.',
    places: last === undefined ? [] : [...timestamps, until],
    daily: false,
    series: [
      {
        label: 'Price',
        group: 'Price',
        color: 'own',
        role: 'step',
        values: last === undefined ? [] : [...price, last],
      },
    ],
  }
}
