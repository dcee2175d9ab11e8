import { type Signal, useSignal } from '@preact/signals'
import { type MutableRef, useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { isPrinting, theme } from '../theme.ts'
import { pointAt } from './crosshair.ts'
import type { Drawing } from './draw.ts'

let drawingModule: typeof import('./draw.ts') | undefined
// Loaded early: its start takes at least 20 ms, which fit into the wait for the figures.
const load = async () => {
  drawingModule ??= await import('./draw.ts')
}

interface DrawingState {
  /** The element to draw in. */
  frame: MutableRef<HTMLDivElement | null>
  plot: MutableRef<uPlot | undefined>
  /** The bucket under the crosshair; null: there is none. */
  cursor: Signal<number | null>
}

/**
 * Draws a chart into `frame`, and again whenever it has changed. The former drawing stays until then, and during a drag. Without places there is
 * nothing to draw: no axes either. On paper all charts are drawn, at once.
 */
export function useDrawing(props: Omit<Drawing, 'onCursor'>): DrawingState {
  const { spec, from, to, height, small, hidden, onZoom } = props
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>()
  const cursor = useSignal<number | null>(null)
  const held = useRef<number>()
  const hiddenNames = hidden.join('\n')
  const fail = useFailure()

  useEffect(() => () => plot.current?.destroy(), [])
  useEffect(() => {
    const target = frame.current
    const loaded = load()
    loaded.catch(fail)
    if (!target) return
    if (spec.places.length === 0) {
      plot.current?.destroy()
      plot.current = undefined
      return
    }
    let isOver = false
    const paintChart = () => {
      if (!drawingModule) return
      plot.current?.destroy()
      const drawn = drawingModule.draw(target, {
        spec,
        hidden,
        from,
        to,
        height,
        small,
        onCursor: (index) => {
          // Until the next drawing exists, this one has the position of the mouse.
          if (isOver) held.current = index === null ? undefined : spec.places[index]
          else cursor.value = index
        },
        onZoom,
      })
      plot.current = drawn
      const { current: place } = held
      // A place without a bucket in the new drawing gets no crosshair there.
      if (place !== undefined && spec.places.includes(place)) pointAt(drawn, place)
    }
    let cancel = () => {}
    // Charts below the screen are drawn when they come near it.
    const nearness = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) {
          plot.current?.destroy()
          plot.current = undefined
          return
        }
        nearness.disconnect()
        loaded.then(() => {
          if (isOver) return
          cancel = soon(() => {
            cancel = whenLetGo(paintChart)
          })
        }, fail)
      },
      { rootMargin: '400px' },
    )
    // The browser does not wait: what is not on the canvas when this returns is not printed.
    const onPrint = () => {
      paintChart()
      plot.current?.batch(() => {})
    }
    loaded.then(() => {
      if (!isOver && isPrinting.value) onPrint()
    }, fail)
    addEventListener('beforeprint', onPrint)
    // If printing ends at once, no dependency of this effect changes.
    addEventListener('afterprint', onPrint)
    if (!isPrinting.value) nearness.observe(target)
    const observer = new ResizeObserver(() => {
      if (target.clientWidth > 0) plot.current?.setSize({ width: target.clientWidth, height })
    })
    observer.observe(target)
    return () => {
      isOver = true
      cancel()
      removeEventListener('beforeprint', onPrint)
      removeEventListener('afterprint', onPrint)
      nearness.disconnect()
      observer.disconnect()
      // The place of the crosshair, for the next drawing.
      held.current = cursor.value === null ? undefined : spec.places[cursor.value]
      cursor.value = null
    }
  }, [spec, hiddenNames, from, to, height, small, theme.value, isPrinting.value])
  return { frame, plot, cursor }
}

/** Rethrows a later error while rendering, so that the error boundary catches it. */
function useFailure(): (error: Error) => void {
  const [, setState] = useState(undefined)
  return (error) =>
    setState(() => {
      throw error
    })
}

let isDragging = false
const afterDrag = new Set<() => void>()
addEventListener(
  'mousedown',
  ({ target }) => (isDragging = target instanceof Element && target.closest('.plot') !== null),
  {
    capture: true,
  },
)
addEventListener('mouseup', () => {
  isDragging = false
  // Runs after the handlers of the drag itself.
  setTimeout(() => {
    for (const work of afterDrag) work()
    afterDrag.clear()
  })
})

/** Runs `work` now, or during a drag when the mouse is released. Returns a function that cancels it. */
function whenLetGo(work: () => void): () => void {
  if (isDragging) afterDrag.add(work)
  else work()
  return () => afterDrag.delete(work)
}

const waiting: (() => void)[] = []
const turns = new MessageChannel()
turns.port1.onmessage = () => {
  waiting.shift()?.()
  if (waiting.length > 0) turns.port2.postMessage(null)
}

/** Drawings take turns, so that many charts never hold the page for longer than one of them takes. Returns a function that cancels a drawing. */
function soon(work: () => void): () => void {
  if (waiting.push(work) === 1) turns.port2.postMessage(null)
  return () => {
    const index = waiting.indexOf(work)
    if (index >= 0) waiting.splice(index, 1)
  }
}
