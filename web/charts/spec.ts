import type uPlot from 'uplot'
import {
  anyFigure,
  change,
  count,
  countTick,
  dateTime,
  day,
  earned,
  figure,
  nothing,
  percent,
  percentTick,
  price,
  priceTick,
  type Zone,
} from '../format.ts'
import type { Color } from './palette.ts'

export type Value = number | null

/** The content of a chart: figures with their names. Drawing, legend, table and exports all start from it. */
export interface ChartSpec {
  /** The name of the chart in file names. */
  name: string
  title: string
  unit: keyof typeof units
  /** The machines and the time of the data, in words for pictures. */
  subject?: () => string
  /** A note that readers need to understand the chart. */
  note?: string
  /** True for a simulated market: exports are marked. */
  simulated?: boolean
  /** The kind of the x-axis. Default: time. */
  axis?: keyof typeof axes
  /**
   * The places of the values along the x-axis, ascending. Times are unix seconds, one per bucket, without holes; the values of a bucket without a
   * snapshot are null.
   */
  places: number[]
  series: ChartSeries[]
  /** Vertical lines with names. */
  marks?: Mark[]
  /** Events are warnings: their marks have its colour, and are counted from the left. */
  areWarnings?: boolean
  /** Paints below the lines. Its code is loaded with the page that needs it. */
  behind?: (plot: uPlot, visible: readonly ChartSeries[]) => void
  /** The time zone in which times are written. */
  zone: Zone
  /** Buckets are whole days of UTC: their times are written as dates. */
  daily: boolean
}

/** The name of a chart's files. */
export const fileName = (title: string, simulated = false): string =>
  `rackrate-${simulated ? 'simulated-' : ''}${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

export interface ChartSeries {
  /** The full name, as in the head of a table. */
  label: string
  /** Its entry in the legend. A group may have several series. */
  group: string
  color: Color
  /**
   * A line, points without one, or a line in steps; the low or high edge of its group's band; a layer of a stack, the first on the ground; a row of cells of a heat
   * map, from `low` to `high` on the y-axis.
   */
  role: 'line' | 'points' | 'step' | 'low' | 'high' | 'layer' | 'cells'
  dashed?: boolean
  low?: number
  high?: number
  values: Value[]
}

export interface Mark {
  label: string
  place: number
  color: Color
  /** True: the mark is a dot on the x-axis, and its label appears under the pointer. */
  isEvent?: true
}

/** By unit: the format of values, the format of ticks (by their distance), and the fixed ends of the axis. */
export const units = {
  'USD per GPU-hour': { write: price, tick: priceTick, from: undefined, most: undefined },
  'USD a day': { write: earned, tick: undefined, from: 0, most: undefined },
  GPUs: { write: count, tick: countTick, from: 0, most: undefined },
  machines: { write: count, tick: countTick, from: 0, most: undefined },
  'rented share': { write: percent, tick: percentTick, from: undefined, most: 1 },
  'since the start': { write: change, tick: percentTick, from: undefined, most: undefined },
  'per USD per hour': { write: figure, tick: undefined, from: undefined, most: undefined },
  '': { write: anyFigure, tick: undefined, from: undefined, most: undefined },
}

/** X-axes that are not time: the name of a place in tables, and the formats of places and ticks. */
export const axes = {
  price: { title: 'Price', write: price, tick: priceTick },
  number: { title: 'Value', write: anyFigure, tick: (value: number) => anyFigure(value) },
  share: { title: 'Share of the hours', write: percent, tick: percentTick },
}

/** A place on the x-axis, in words. */
export const placeOf = ({ axis, zone, daily }: ChartSpec, place: number): string =>
  axis ? axes[axis].write(place) : daily ? day(place) : dateTime(place, zone)

export const groupsOf = (spec: ChartSpec): string[] => [...new Set(spec.series.map(({ group }) => group))]

export const seriesOf = (spec: ChartSpec, group: string): ChartSeries[] =>
  spec.series.filter((series) => series.group === group)

/** The format of a series' values. Cells of a heat map are numbers of GPUs, whatever the y-axis is. */
export const writerOf = ({ unit }: ChartSpec, { role }: ChartSeries) =>
  role === 'cells' ? count : units[unit].write

/** The figures of a group at a place, in words: a line with the edges of its band. For a heat map: the fullest cell. */
export function figuresOf(spec: ChartSpec, group: string, index: number): string {
  const series = seriesOf(spec, group)
  const written = (each: ChartSeries) => writerOf(spec, each)(each.values[index])
  const [line, low, high] = (['line', 'low', 'high'] as const).map((of) =>
    series.find(({ role }) => role === of),
  )
  if (line && low && high)
    return `${written(line)}${low.values[index] == null ? '' : ` (most: ${written(low)} to ${written(high)})`}`
  if (series[0]?.role !== 'cells') return series.map(written).join(' · ')
  const fullest = Math.max(...series.map(({ values }) => values[index] ?? 0))
  const row = series.find(({ values }) => values[index] === fullest)
  return row && fullest > 0 ? `most: ${count(fullest)} ${row.label}` : nothing
}
