import type uPlot from 'uplot'
import { placedNames } from './mark-rows.ts'
import { chartPaints, seriesPaint } from './palette.ts'
import type { Mark } from './spec.ts'

const fontFamily = 'Inter, "Inter fallback", system-ui, sans-serif'

/** The font of texts in a chart. */
export const chartFont = (size: number, weight = 420): string => `${weight} ${size}px ${fontFamily}`

/**
 * A dot on the x-axis for each event, with its number; events of one place share it. Events that begin a shaded period are warnings, and are
 * counted from the left.
 */
export function drawEvents(
  plot: uPlot,
  events: readonly Mark[],
  enlarged: number,
  areWarnings = false,
): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const { background, quiet, warn } = chartPaints()
  const ink = areWarnings ? warn : quiet
  const dots: { at: number; count: number }[] = []
  for (const { place } of events.toSorted((one, other) => one.place - other.place)) {
    const at = plot.valToPos(place, 'x', true)
    if (at < bbox.left || at > bbox.left + bbox.width) continue
    const last = dots.at(-1)
    if (last && at - last.at < 16 * scale) last.count += 1
    else dots.push({ at, count: 1 })
  }
  ctx.save()
  ctx.font = chartFont(9 * scale, 620)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.lineWidth = 1.5 * scale
  let before = 0
  for (const { at, count } of dots) {
    before += count
    const y = bbox.top + bbox.height
    ctx.beginPath()
    ctx.arc(at, y, 7 * scale, 0, 2 * Math.PI)
    ctx.fillStyle = background
    ctx.fill()
    ctx.strokeStyle = ink
    ctx.stroke()
    ctx.fillStyle = ink
    ctx.fillText(String(areWarnings ? before : count), at, y + 0.5 * scale)
  }
  ctx.restore()
}

const lineHeight = 15

/** The height above a plot that the names of its marks need. */
export const roomForMarks = (marks: number): number => lineHeight * Math.ceil(marks / 2)

/** Draws vertical lines with their names above them. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], enlarged: number): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const gap = 5 * scale
  const { background } = chartPaints()
  ctx.save()
  ctx.font = chartFont(11 * scale, 620)
  const found = marks
    .map((mark) => ({
      ...mark,
      at: plot.valToPos(mark.place, 'x', true),
      width: ctx.measureText(mark.label).width,
    }))
    .sort((one, other) => one.at - other.at)
  const shown = placedNames(found, 0, ctx.canvas.width, gap)
  ctx.lineWidth = 1.5 * scale
  ctx.setLineDash([3 * scale, 3 * scale])
  for (const { at, color, row } of shown) {
    ctx.strokeStyle = seriesPaint(color)
    ctx.beginPath()
    ctx.moveTo(at, (2 + lineHeight * row) * scale)
    ctx.lineTo(at, bbox.top + bbox.height)
    ctx.stroke()
  }
  // An outline keeps names readable above a plot that has more of them than it has room for.
  ctx.setLineDash([])
  ctx.lineWidth = 4 * scale
  ctx.lineJoin = 'round'
  ctx.strokeStyle = background
  for (const { at, label, color, isLeft, row } of shown) {
    const x = at + (isLeft ? -gap : gap)
    const y = (lineHeight - 3 + lineHeight * row) * scale
    ctx.fillStyle = seriesPaint(color)
    ctx.textAlign = isLeft ? 'right' : 'left'
    ctx.strokeText(label, x, y)
    ctx.fillText(label, x, y)
  }
  ctx.restore()
}
