import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Drawing } from './draw.ts'

/** What a chart draws, without what it does when somebody points at it. */
export type Drawn = Omit<Drawing, 'onCursor' | 'onZoom'>

const charts = new Map<HTMLElement, Drawn>()

/** Makes a chart part of the picture of its page. */
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
