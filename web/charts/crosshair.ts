import type uPlot from 'uplot'

/** Moves the crosshair of a chart, and of all charts on the page with it, to a place, or hides it. */
export function pointAt(plot: uPlot, place: number | undefined): void {
  // The first bucket may begin before the axis does; below 0 there is no crosshair.
  const left = place === undefined ? -10 : Math.max(0, plot.valToPos(place, 'x'))
  // uPlot's parameter for synchronizing other charts, which its types leave out.
  const setCursor: (at: { left: number; top: number }, fire: boolean, tell: boolean) => void = plot.setCursor
  setCursor({ left, top: 0 }, true, true)
}
