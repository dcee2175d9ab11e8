import type uPlot from 'uplot'
import { chartPaints } from './palette.ts'

/** The shade of the periods of a chart, at least two pixels wide. */
export function drawPeriods(plot: uPlot, periods: readonly { from: number; to: number }[]): void {
  const { ctx, bbox } = plot
  const [first, last] = [bbox.left, bbox.left + bbox.width]
  ctx.save()
  ctx.fillStyle = `${chartPaints().warnFill}24`
  for (const { from, to } of periods) {
    const left = Math.max(first, plot.valToPos(from, 'x', true))
    const right = Math.min(last, Math.max(left + 2 * devicePixelRatio, plot.valToPos(to, 'x', true)))
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}
