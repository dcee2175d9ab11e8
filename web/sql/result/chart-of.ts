import { distinct } from '../../charts/palette.ts'
import type { ChartSeries, ChartSpec } from '../../charts/spec.ts'
import type { Column, Row } from '../run/answer.ts'
import { kindOf, numberOf, textOf } from './values.ts'

const mostBars = 50

export interface Bars {
  label: string
  unit: string
  bars: { name: string; value: number | null }[]
  /** How many there would be. */
  total: number
}

export type Picture = { spec: ChartSpec } | { bars: Bars }

/** A picture of a result whose shape allows one: figures over time, or a figure by name. */
export function pictureOf(columns: readonly Column[], rows: readonly Row[]): Picture | undefined {
  const kinds = columns.map(({ type }) => kindOf(type))
  const numbers = indexesOf(kinds, 'number')
  if (rows.length === 0 || numbers.length === 0) return undefined
  if (kinds[0] === 'time') {
    const names = kinds.indexOf('text')
    // A line has one figure for a time: where there are several, a picture would show one of them for all.
    if (numbers.length === kinds.length - 1)
      return areSingle(rows, [0]) ? { spec: linesOf(columns, rows, numbers) } : undefined
    if (kinds.length === 3 && names > 0 && areSingle(rows, [0, names]))
      return { spec: linesByName(columns, rows, names, numbers[0] ?? 0) }
    return undefined
  }
  const label = kinds.indexOf('text')
  return label < 0 ? undefined : { bars: barsOf(columns, rows, label, numbers[0] ?? 0) }
}

const indexesOf = <T>(list: readonly T[], wanted: T): number[] =>
  list.flatMap((one, index) => (one === wanted ? [index] : []))

// Without an offset, as some profiles of ClickHouse write it, it's UTC, not the visitor's time.
const secondsOf = (row: Row): number => {
  const text = textOf(row[0]).replace(' ', 'T')
  return Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text) / 1000
}

const areSingle = (rows: readonly Row[], columns: readonly number[]): boolean =>
  new Set(rows.map((row) => JSON.stringify(columns.map((column) => textOf(row[column]))))).size ===
  rows.length

/** A line per column of numbers. */
function linesOf(columns: readonly Column[], rows: readonly Row[], numbers: readonly number[]): ChartSpec {
  const { times, spread } = timesOf(rows)
  const series = numbers.slice(0, distinct).map((column, color): ChartSeries => {
    const name = columns[column]?.name ?? ''
    return { ...lineOf(name, color), values: spread(rows, column) }
  })
  return { ...specOf(times, series), ...cutNote(series.length, numbers.length, 'columns') }
}

/** A line per name, those with the most rows first. */
function linesByName(
  columns: readonly Column[],
  rows: readonly Row[],
  label: number,
  column: number,
): ChartSpec {
  const { times, spread } = timesOf(rows)
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = textOf(row[label])
    const own = groups.get(name)
    if (own) own.push(row)
    else groups.set(name, [row])
  }
  const names = [...groups].sort(([, one], [, other]) => other.length - one.length)
  const series = names
    .slice(0, distinct)
    .map(([name, own], color): ChartSeries => ({ ...lineOf(name, color), values: spread(own, column) }))
  const spec = specOf(times, series)
  return {
    ...spec,
    title: columns[column]?.name ?? spec.title,
    ...cutNote(series.length, names.length, columns[label]?.name ?? 'names'),
  }
}

const lineOf = (name: string, color: number) => ({ label: name, group: name, color, role: 'line' as const })

const specOf = (times: number[], series: ChartSeries[]): ChartSpec => ({
  name: 'rackrate-result',
  title: series.length === 1 ? (series[0]?.label ?? 'Result') : 'Result',
  unit: '',
  places: times,
  series,
  // As the rows have it.
  zone: 'utc',
  daily: false,
})

const cutNote = (shown: number, total: number, what: string) =>
  shown < total ? { note: `${shown} of ${total}: ${what}.` } : {}

/** The times of the rows, once each and in order, and what lays a column of some rows out along them. */
function timesOf(rows: readonly Row[]) {
  const times = [...new Set(rows.map(secondsOf))].filter(Number.isFinite).sort((one, other) => one - other)
  const indexOf = new Map(times.map((time, index) => [time, index]))
  return {
    times,
    spread(own: readonly Row[], column: number): (number | null)[] {
      const values = new Array<number | null>(times.length).fill(null)
      for (const row of own) {
        const at = indexOf.get(secondsOf(row))
        if (at !== undefined) values[at] = numberOf(row[column])
      }
      return values
    },
  }
}

function barsOf(columns: readonly Column[], rows: readonly Row[], label: number, column: number): Bars {
  return {
    label: columns[label]?.name ?? '',
    unit: columns[column]?.name ?? '',
    total: rows.length,
    bars: rows.slice(0, mostBars).map((row) => ({ name: textOf(row[label]), value: numberOf(row[column]) })),
  }
}
