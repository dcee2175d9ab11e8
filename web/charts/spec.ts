import { count, day, figure, moment, percent, price, priceTick, type Zone } from '../format.ts'

export type Value = number | null

/** The content of a chart: figures with their names. Drawing, legend, table and exports all start from it. */
export interface ChartSpec {
  /** For names of files. */
  name: string
  title: string
  unit: keyof typeof units
  /** What the reader must know to read it. */
  note?: string
  /** Exports of a simulated market say so. */
  simulated?: boolean
  /** Unix seconds, one per bucket, without holes; the values of a bucket without a snapshot are null. */
  times: number[]
  series: ChartSeries[]
  /** The time zone of its times. */
  zone: Zone
  /** Buckets are whole days of UTC: their times are written as dates. */
  daily: boolean
}

export interface ChartSeries {
  /** The full name, as in a column of a table. */
  label: string
  /** Its entry in the legend. A group may have several series. */
  group: string
  /** Which colour of the palette. */
  color: number
  /** A line; the low or high edge of its group's band; a layer of a stack. */
  role: 'line' | 'low' | 'high' | 'layer'
  dashed?: boolean
  values: Value[]
}

/** How values and ticks (by their distance) are written, and the least range of their axis. */
export const units = {
  'USD per GPU-hour': { write: price, tick: priceTick, from: undefined, to: undefined },
  GPUs: { write: count, tick: undefined, from: 0, to: undefined },
  machines: { write: count, tick: undefined, from: 0, to: undefined },
  'rented share': { write: percent, tick: undefined, from: 0, to: 1 },
  'per USD per hour': { write: figure, tick: undefined, from: undefined, to: undefined },
  '': { write: figure, tick: undefined, from: undefined, to: undefined },
}

/** The time of a bucket, in words. */
export const timeOf = ({ zone, daily }: ChartSpec, seconds: number): string =>
  daily ? day(seconds) : moment(seconds, zone)

export const groupsOf = (spec: ChartSpec): string[] => [...new Set(spec.series.map(({ group }) => group))]

export const seriesOf = (spec: ChartSpec, group: string): ChartSeries[] =>
  spec.series.filter((series) => series.group === group)
