import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Drawing } from './draw.ts'

/** The drawing of a chart, without its reactions to the pointer. */
export type Drawn = Omit<Drawing, 'onCursor' | 'onZoom'>

const charts = new Map<HTMLElement, Drawn>()

/** Registers a chart for the picture of its page. */
export function useOnPage(figure: RefObject<HTMLElement>, drawn: Drawn): void {
  useEffect(() => {
    const { current } = figure
    if (!current) return
    charts.set(current, drawn)
    return () => void charts.delete(current)
  })
}

/** The charts of the page that have figures, from the top. */
export const chartsOnPage = (): Drawn[] =>
  [...charts]
    .filter(([, { spec }]) => spec.places.length > 0)
    .sort(([one], [other]) =>
      one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    )
    .map(([, drawn]) => drawn)
