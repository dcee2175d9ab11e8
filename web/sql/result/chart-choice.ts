import { dashboardLimits } from '../../../contract/dashboard-limits.ts'
import type { SqlChart } from '../../../contract/dashboards.ts'
import type { Column } from '../run/answer.ts'
import { kindOf, type ValueKind } from './values.ts'

const namesOf = (columns: readonly Column[], ...kinds: ValueKind[]): string[] => [
  ...new Set(columns.filter(({ type }) => kinds.includes(kindOf(type))).map(({ name }) => name)),
]

/** The columns that each setting of a chart can have. */
export const choicesOf = (columns: readonly Column[], kind: SqlChart['kind']) => ({
  x:
    kind === 'bars'
      ? namesOf(columns, 'text', 'time', 'boolean', 'number')
      : namesOf(columns, 'time', 'number'),
  y: namesOf(columns, 'number'),
  by: namesOf(columns, 'text', 'boolean', 'number'),
})

/** The chart that the columns suggest: figures over time, figures by name, or one figure against another; undefined: there is nothing to draw. */
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

/** The chosen chart if the columns allow it, otherwise the suggested one. */
export const chartFor = (chosen: SqlChart | undefined, columns: readonly Column[]): SqlChart | undefined =>
  chosen && fits(chosen, columns) ? chosen : suggestedChart(columns)

/** True if the columns allow a chart. */
function fits({ kind, x, y, by }: SqlChart, columns: readonly Column[]): boolean {
  const choices = choicesOf(columns, kind)
  return (
    choices.x.includes(x) &&
    y.every((name) => choices.y.includes(name)) &&
    (by === null || choices.by.includes(by))
  )
}

/** A chart with a change. Columns that its kind cannot use are replaced by usable ones. */
export function changed(chart: SqlChart, changes: Partial<SqlChart>, columns: readonly Column[]): SqlChart {
  const next = { ...chart, ...changes }
  const { x } = choicesOf(columns, next.kind)
  return {
    ...next,
    x: x.includes(next.x) ? next.x : (x[0] ?? next.x),
    by: next.kind === 'bars' ? null : next.by,
  }
}
