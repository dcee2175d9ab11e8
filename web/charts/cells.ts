import type uPlot from 'uplot'
import { seriesPaint } from './palette.ts'
import type { ChartSeries } from './spec.ts'

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
