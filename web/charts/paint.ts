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
      // The root, so that a few GPUs are still seen beside many.
      ctx.globalAlpha = 0.08 + 0.92 * Math.sqrt(value / most)
      ctx.fillRect(left, top, width, height)
    }
  }
  ctx.restore()
}

/** Where a bucket ends: where the next one begins. */
function endOf(places: ArrayLike<number>, index: number): number {
  const here = places[index] ?? 0
  return places[index + 1] ?? here + (here - (places[index - 1] ?? here))
}

const lineHeight = 15

/** Upright lines with their names, of which those that find no room are left out. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], enlarged: number): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const { text, background } = chartPaints()
  ctx.save()
  ctx.font = `${12 * scale}px system-ui`
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
  ctx.lineWidth = 2 * scale
  ctx.setLineDash([4 * scale, 3 * scale])
  for (const { at, color } of shown) {
    ctx.strokeStyle = seriesPaint(color)
    ctx.beginPath()
    ctx.moveTo(at, bbox.top)
    ctx.lineTo(at, bbox.top + bbox.height)
    ctx.stroke()
  }
  // Names over all lines, with an edge that keeps them readable there.
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
