import { type Signal, useSignal } from '@preact/signals'
import { type MutableRef, useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { theme } from '../theme.ts'
import { type Drawing, draw, pointAt } from './draw.ts'

interface DrawingState {
  /** The element to draw in. */
  frame: MutableRef<HTMLDivElement | null>
  plot: MutableRef<uPlot | undefined>
  /** The bucket under the crosshair; null: there is none. */
  cursor: Signal<number | null>
}

/** Draws a chart into `frame`, and again whenever it has changed. */
export function useDrawing(props: Omit<Drawing, 'onCursor'>): DrawingState {
  const { spec, from, to, height, small, hidden, onZoom } = props
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>()
  const cursor = useSignal<number | null>(null)
  const held = useRef<number>()
  const hiddenNames = hidden.join('\n')

  useEffect(() => {
    const target = frame.current
    if (!target) return
    const drawn = draw(target, {
      spec,
      hidden,
      from,
      to,
      height,
      small,
      onCursor: (index) => {
        cursor.value = index
      },
      onZoom: (left, right) => onZoom(Math.floor(left), Math.ceil(right)),
    })
    plot.current = drawn
    const { current: time } = held
    // A time that is not among the new buckets has no place in the new drawing.
    if (time !== undefined && spec.times.includes(time)) pointAt(drawn, time)
    const observer = new ResizeObserver(() => {
      if (target.clientWidth > 0) drawn.setSize({ width: target.clientWidth, height })
    })
    observer.observe(target)
    return () => {
      observer.disconnect()
      drawn.destroy()
      // Where the crosshair was, for the drawing that comes next.
      held.current = cursor.value === null ? undefined : spec.times[cursor.value]
      cursor.value = null
    }
  }, [spec, hiddenNames, from, to, height, small, theme.value])
  return { frame, plot, cursor }
}
