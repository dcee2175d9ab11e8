import type uPlot from 'uplot'
import { rowsOfNames } from './mark-rows.ts'
import { chartPaints, seriesPaint } from './palette.ts'
import type { ChartSeries, Mark } from './spec.ts'

/** The cells of a heat map: the more GPUs, the stronger the colour. */
export function drawCells(plot: uPlot, visible: readonly ChartSeries[]): void {
  const rows = visible.filter(({ role }) => role === 'cells')
  const [places = []] = plot.data
  const most = Math.max(...rows.flatMap(({ values }) => values.map((value) => value ?? 0)), 1)
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { values, color, low = 0, high = 0 } of rows) {
    // Neighbours share an edge and never overlap: that would be a darker line.
    const top = Math.round(plot.valToPos(high, 'y', true))
    const height = Math.round(plot.valToPos(low, 'y', true)) - top
    ctx.fillStyle = seriesPaint(color)
    for (const [index, value] of values.entries()) {
      if (!value) continue
      const left = Math.round(plot.valToPos(places[index] ?? 0, 'x', true))
      const width = Math.max(1, Math.round(plot.valToPos(endOf(places, index), 'x', true)) - left)
      // The square root, so that a few GPUs are still visible beside many.
      ctx.globalAlpha = 0.08 + 0.92 * Math.sqrt(value / most)
      ctx.fillRect(left, top, width, height)
    }
  }
  ctx.restore()
}

/** The end of a bucket: the start of the next one. */
function endOf(places: ArrayLike<number>, index: number): number {
  const here = places[index] ?? 0
  return places[index + 1] ?? here + (here - (places[index - 1] ?? here))
}

const fontFamily = 'Inter, "Inter fallback", system-ui, sans-serif'

/** The font of texts in a chart. */
export const chartFont = (size: number, weight = 420): string => `${weight} ${size}px ${fontFamily}`

/** A numbered dot on the x-axis for each event; events of one place share it. */
export function drawEvents(plot: uPlot, events: readonly Mark[], enlarged: number): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const { background, quiet } = chartPaints()
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
  for (const { at, count } of dots) {
    const y = bbox.top + bbox.height
    ctx.beginPath()
    ctx.arc(at, y, 7 * scale, 0, 2 * Math.PI)
    ctx.fillStyle = background
    ctx.fill()
    ctx.strokeStyle = quiet
    ctx.stroke()
    ctx.fillStyle = quiet
    ctx.fillText(String(count), at, y + 0.5 * scale)
  }
  ctx.restore()
}

const lineHeight = 15

/** Draws vertical lines with their names. Names without room are left out. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], enlarged: number): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const { text, background } = chartPaints()
  ctx.save()
  ctx.font = chartFont(11 * scale, 620)
  const shown = marks.flatMap(({ label, place, color }) => {
    const at = plot.valToPos(place, 'x', true)
    if (at < bbox.left || at > bbox.left + bbox.width) return []
    const isRight = at > bbox.left + bbox.width / 2
    const edge = at + (isRight ? -6 : 6) * scale
    const { width } = ctx.measureText(label)
    return [
      {
        label,
        at,
        color,
        isRight,
        edge,
        left: isRight ? edge - width : edge,
        right: isRight ? edge : edge + width,
      },
    ]
  })
  ctx.lineWidth = 1.5 * scale
  ctx.setLineDash([3 * scale, 3 * scale])
  for (const { at, color } of shown) {
    ctx.strokeStyle = seriesPaint(color)
    ctx.beginPath()
    ctx.moveTo(at, bbox.top)
    ctx.lineTo(at, bbox.top + bbox.height)
    ctx.stroke()
  }
  // Draws names above all lines, with an outline that keeps them readable.
  ctx.setLineDash([])
  ctx.lineWidth = 4 * scale
  ctx.lineJoin = 'round'
  ctx.strokeStyle = background
  ctx.fillStyle = text
  const rows = rowsOfNames(shown, Math.floor(bbox.height / (lineHeight * scale)), 4 * scale)
  for (const [index, { label, edge, isRight }] of shown.entries()) {
    const row = rows[index]
    if (row === undefined) continue
    ctx.textAlign = isRight ? 'right' : 'left'
    const y = bbox.top + (lineHeight - 1 + lineHeight * row) * scale
    ctx.strokeText(label, edge, y)
    ctx.fillText(label, edge, y)
  }
  ctx.restore()
}
