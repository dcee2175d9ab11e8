import { dashboardLimits } from '../../../contract/dashboard-limits.ts'
import type { SqlChart } from '../../../contract/dashboards.ts'
import type { Column } from '../run/answer.ts'
import { kindOf, type ValueKind } from './values.ts'

const namesOf = (columns: readonly Column[], ...kinds: ValueKind[]): string[] => [
  ...new Set(columns.filter(({ type }) => kinds.includes(kindOf(type))).map(({ name }) => name)),
]

/** The columns that a chart can have for what. */
export const choicesOf = (columns: readonly Column[], kind: SqlChart['kind']) => ({
  x:
    kind === 'bars'
      ? namesOf(columns, 'text', 'time', 'boolean', 'number')
      : namesOf(columns, 'time', 'number'),
  y: namesOf(columns, 'number'),
  by: namesOf(columns, 'text', 'boolean', 'number'),
})

/** What the columns suggest: figures over time, figures by name, or one figure against another; undefined: there is nothing to draw. */
function suggestedChart(columns: readonly Column[]): SqlChart | undefined {
  const [time] = namesOf(columns, 'time')
  const [text = null] = namesOf(columns, 'text')
  const numbers = namesOf(columns, 'number')
  const [first, second] = numbers
  if (first === undefined) return undefined
  if (time !== undefined) {
    const y = text === null ? numbers.slice(0, dashboardLimits.columns) : [first]
    return { kind: 'line', x: time, y, by: text }
  }
  if (text !== null) return { kind: 'bars', x: text, y: [first], by: null }
  return second === undefined ? undefined : { kind: 'points', x: first, y: [second], by: null }
}

/** The chart that was chosen, where the columns allow it, else what they suggest. */
export const chartFor = (chosen: SqlChart | undefined, columns: readonly Column[]): SqlChart | undefined =>
  chosen && fits(chosen, columns) ? chosen : suggestedChart(columns)

/** Whether the columns have what a chart needs. */
function fits({ kind, x, y, by }: SqlChart, columns: readonly Column[]): boolean {
  const choices = choicesOf(columns, kind)
  return (
    choices.x.includes(x) &&
    y.every((name) => choices.y.includes(name)) &&
    (by === null || choices.by.includes(by))
  )
}

/** A chart with a change. Columns that another kind cannot have make room for one that it can. */
export function changed(chart: SqlChart, changes: Partial<SqlChart>, columns: readonly Column[]): SqlChart {
  const next = { ...chart, ...changes }
  const { x } = choicesOf(columns, next.kind)
  return {
    ...next,
    x: x.includes(next.x) ? next.x : (x[0] ?? next.x),
    by: next.kind === 'bars' ? null : next.by,
  }
}
