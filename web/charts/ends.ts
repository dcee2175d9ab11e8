import type uPlot from 'uplot'
import { chartFont } from './paint.ts'
import { chartPaints, seriesPaint } from './palette.ts'
import { type ChartSeries, type ChartSpec, writerOf } from './spec.ts'

/** The label at the end of a line: its name and its last value. */
interface EndLabel {
  text: string
  color: string
  value: number
}

/** With more lines than this there is only a legend. */
const most = 8

/** The labels at the ends of the lines of a chart over time. */
export function endLabels(spec: ChartSpec, visible: readonly ChartSeries[]): EndLabel[] {
  const lines = visible.filter(({ role, dashed }) => !dashed && ['line', 'step', 'layer'].includes(role))
  const groups = new Set(lines.map(({ group }) => group))
  if (spec.axis || lines.length > most || groups.size < lines.length) return []
  let below = 0
  return lines.flatMap((series) => {
    // A line that ended before has no label there, as the past beside its forecast. The newest bucket may be empty.
    const last = series.values.slice(-3).findLast((value) => value !== null) ?? null
    if (last === null) return []
    const value = series.role === 'layer' ? below + last : last
    below = series.role === 'layer' ? value : below
    const name =
      groups.size > 1 ? `${series.group.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} ` : ''
    return [{ text: `${name}${writerOf(spec, series)(last)}`, color: seriesPaint(series.color), value }]
  })
}

/** The room to the right of the plot that labels need. */
export const roomOf = (labels: readonly EndLabel[]): number =>
  18 + 6.8 * Math.max(...labels.map(({ text }) => text.length))

const apart = 15

/** Writes labels beside the ends of their lines without overlaps. */
export function drawEnds(plot: uPlot, labels: readonly EndLabel[], enlarged: number): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const { background } = chartPaints()
  ctx.save()
  ctx.font = chartFont(12 * scale, 620)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.lineWidth = 4 * scale
  ctx.lineJoin = 'round'
  ctx.strokeStyle = background
  const fromTop = labels
    .map((label) => ({ ...label, top: plot.valToPos(label.value, 'y', true) }))
    .sort((one, other) => one.top - other.top)
  const places = spread(
    fromTop.map(({ top }) => top),
    { from: bbox.top, to: bbox.top + bbox.height, apart: apart * scale },
  )
  for (const [index, { text, color }] of fromTop.entries()) {
    const y = places[index] ?? 0
    ctx.fillStyle = color
    ctx.strokeText(text, bbox.left + bbox.width + 8 * scale, y)
    ctx.fillText(text, bbox.left + bbox.width + 8 * scale, y)
  }
  ctx.restore()
}

/** Places in ascending order, at least `apart` from each other: pushed down, and from the end up again. */
export function spread(
  places: readonly number[],
  { from, to, apart }: { from: number; to: number; apart: number },
): number[] {
  let lowest = from
  const down = places.map((place) => {
    const at = Math.max(place, lowest)
    lowest = at + apart
    return at
  })
  let highest = to
  return down
    .reverse()
    .map((place) => {
      const at = Math.min(place, highest)
      highest = at - apart
      return at
    })
    .reverse()
}
