import type uPlot from 'uplot'

/** A movement of fewer pixels is a tap or a scroll. */
const least = 12

/** Selects with one finger along the x-axis, as dragging does with the mouse. A vertical movement scrolls the page, and ends the selection. */
export function selectByTouch(plot: uPlot): void {
  const { over } = plot
  let from: number | undefined
  let width = 0
  const select = (left: number, fire: boolean) =>
    plot.setSelect({ left, width, top: 0, height: over.clientHeight }, fire)
  const placeOf = ({ clientX }: PointerEvent) => {
    const { left, right } = over.getBoundingClientRect()
    return Math.min(Math.max(clientX, left), right) - left
  }
  over.addEventListener('pointerdown', (event) => {
    from = event.pointerType === 'touch' && event.isPrimary ? placeOf(event) : undefined
  })
  over.addEventListener('pointermove', (event) => {
    if (from === undefined) return
    const to = placeOf(event)
    width = Math.abs(to - from)
    if (width >= least) select(Math.min(from, to), false)
  })
  over.addEventListener('pointerup', (event) => {
    if (from !== undefined && width >= least) select(Math.min(from, placeOf(event)), true)
    from = undefined
    width = 0
  })
  over.addEventListener('pointercancel', () => {
    from = undefined
    width = 0
    select(0, false)
  })
}
