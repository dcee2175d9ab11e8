import type uPlot from 'uplot'
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

/** Upright lines with their names. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], enlarged: number): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio * enlarged
  const { text, background } = chartPaints()
  const shown = marks.flatMap(({ label, place, color }, index) => {
    const left = plot.valToPos(place, 'x', true)
    return left < bbox.left || left > bbox.left + bbox.width ? [] : [{ label, left, color, index }]
  })
  ctx.save()
  ctx.lineWidth = 2 * scale
  ctx.setLineDash([4 * scale, 3 * scale])
  for (const { left, color } of shown) {
    ctx.strokeStyle = seriesPaint(color)
    ctx.beginPath()
    ctx.moveTo(left, bbox.top)
    ctx.lineTo(left, bbox.top + bbox.height)
    ctx.stroke()
  }
  // Names over all lines, with an edge that keeps them readable there.
  ctx.font = `${12 * scale}px system-ui`
  ctx.setLineDash([])
  ctx.lineWidth = 4 * scale
  ctx.lineJoin = 'round'
  ctx.strokeStyle = background
  ctx.fillStyle = text
  for (const { label, left, index } of shown) {
    const isRight = left > bbox.left + bbox.width / 2
    ctx.textAlign = isRight ? 'right' : 'left'
    const x = left + (isRight ? -6 : 6) * scale
    // One below the other, so that those of near marks stay readable.
    const y = bbox.top + (14 + 15 * (index % 6)) * scale
    ctx.strokeText(label, x, y)
    ctx.fillText(label, x, y)
  }
  ctx.restore()
}
