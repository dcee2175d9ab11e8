import type { SqlChart } from '../../../contract/dashboards.ts'
import { distinct } from '../../charts/palette.ts'
import type { ChartSeries, ChartSpec, Value } from '../../charts/spec.ts'
import { count } from '../../format.ts'
import type { Column, Row } from '../run/answer.ts'
import { withMissing } from './steps.ts'
import { kindOf, numberOf, textOf } from './values.ts'

const mostBars = 50
const mostPoints = 20_000

export interface Bars {
  label: string
  unit: string
  bars: { name: string; value: number | null }[]
  /** Number of lines or bars without the limit. */
  total: number
}

/** `problem`: the reason for a missing chart, and a remedy. */
export type ResultPicture = { spec: ChartSpec } | { bars: Bars } | { problem: string }

/** Draws rows with the settings of a chart. The rows must have its columns. */
export function pictureOf(columns: readonly Column[], rows: readonly Row[], chart: SqlChart): ResultPicture {
  if (rows.length === 0) return { problem: 'There are no rows to draw.' }
  if (chart.kind === 'bars') return { bars: barsOf(columns, rows, chart) }
  const field = fieldOf(columns, rows, chart)
  const lines = linesOf(columns, field.points, chart)
  const drawn = lines.slice(0, distinct)
  if (chart.kind === 'points') return { spec: specOf(chart, field, drawn.map(pointsOf(field)), lines.length) }
  if (drawn.some(({ points }) => new Set(points.map(({ place }) => place)).size < points.length)) {
    const helps = chart.by === null ? 'Choose a column under “A line for each”' : 'Aggregate them'
    return { problem: `Several rows have the same ${chart.x}. ${helps}, or draw points.` }
  }
  return { spec: specOf(chart, field, drawn.map(alongOf(field)), lines.length) }
}

interface Point {
  place: number
  row: Row
}

interface Field {
  isTime: boolean
  /** Times are dates. */
  daily: boolean
  /** The rows that have a place, in order. */
  points: Point[]
  cut: number
}

function fieldOf(columns: readonly Column[], rows: readonly Row[], { kind, x }: SqlChart): Field {
  const at = indexOf(columns, x)
  const type = columns[at]?.type ?? ''
  const isTime = kindOf(type) === 'time'
  const points = rows.flatMap((row) => {
    const place = isTime ? secondsOf(row[at]) : numberOf(row[at])
    return place !== null && Number.isFinite(place) ? [{ place, row }] : []
  })
  const kept = kind === 'points' ? points.slice(0, mostPoints) : points
  return {
    isTime,
    daily: /Date(32)?\)*$/.test(type),
    points: kept.sort((one, other) => one.place - other.place),
    cut: points.length - kept.length,
  }
}

const indexOf = (columns: readonly Column[], wanted: string): number =>
  columns.findIndex(({ name }) => name === wanted)

// A time without an offset, as some settings of ClickHouse write it, is UTC and not the visitor's time.
function secondsOf(value: unknown): number {
  const text = textOf(value).replace(' ', 'T')
  return Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text) / 1000
}

interface Line {
  label: string
  column: number
  points: Point[]
}

/** A line for each column of numbers; with `by` a line for each name, the names with the most rows first. */
function linesOf(columns: readonly Column[], points: Point[], { y, by }: SqlChart): Line[] {
  if (by === null) return y.map((name) => ({ label: name, column: indexOf(columns, name), points }))
  const at = indexOf(columns, by)
  const groups = new Map<string, Point[]>()
  for (const point of points) {
    const name = textOf(point.row[at])
    const own = groups.get(name)
    if (own) own.push(point)
    else groups.set(name, [point])
  }
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .flatMap(([name, own]) =>
      y.map((column) => ({
        label: y.length > 1 ? `${name}, ${column}` : name,
        column: indexOf(columns, column),
        points: own,
      })),
    )
}

type Drawn = Pick<ChartSpec, 'places' | 'series'>
type Laid = { places: number[]; series: ChartSeries }

/** Values along all places, missing ones null. */
function alongOf({ points, isTime }: Field): (line: Line, color: number) => Laid {
  const given = [...new Set(points.map(({ place }) => place))]
  const places = isTime ? withMissing(given) : given
  const indexes = new Map(places.map((place, index) => [place, index]))
  return ({ label, column, points: own }, color) => {
    const values = new Array<Value>(places.length).fill(null)
    for (const { place, row } of own) values[indexes.get(place) ?? 0] = finite(row[column])
    return { places, series: { label, group: label, color, role: 'line', values } }
  }
}

/** A place for each row. */
function pointsOf({ points }: Field): (line: Line, color: number) => Laid {
  const places = points.map(({ place }) => place)
  const indexes = new Map(points.map((point, index) => [point, index]))
  return ({ label, column, points: own }, color) => {
    const values = new Array<Value>(places.length).fill(null)
    for (const point of own) values[indexes.get(point) ?? 0] = finite(point.row[column])
    return { places, series: { label, group: label, color, role: 'points', values } }
  }
}

const finite = (value: unknown): Value => {
  const number = numberOf(value)
  return number !== null && Number.isFinite(number) ? number : null
}

function specOf(
  { x, y, by }: SqlChart,
  { isTime, daily, cut }: Field,
  laid: Laid[],
  total: number,
): ChartSpec {
  const drawn: Drawn = { places: laid[0]?.places ?? [], series: laid.map(({ series }) => series) }
  const notes = [
    ...(laid.length < total ? [`${laid.length} of ${total}: ${by ?? 'columns'}.`] : []),
    ...(cut > 0 ? [`The first ${count(mostPoints)} rows; ${count(cut)} more are not drawn.`] : []),
  ]
  return {
    name: 'rackrate-result',
    title: isTime ? y.join(', ') : `${y.join(', ')} by ${x}`,
    unit: '',
    ...drawn,
    ...(!isTime && { axis: 'number' as const }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    // The value as in the rows.
    zone: 'utc',
    daily,
  }
}

function barsOf(columns: readonly Column[], rows: readonly Row[], { x, y }: SqlChart): Bars {
  const [label, value] = [indexOf(columns, x), indexOf(columns, y[0] ?? '')]
  return {
    label: x,
    unit: y[0] ?? '',
    total: rows.length,
    bars: rows.slice(0, mostBars).map((row) => ({ name: textOf(row[label]), value: numberOf(row[value]) })),
  }
}
