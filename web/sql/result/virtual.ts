import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks'

interface VirtualRows {
  count: number
  height: number
  /** The height of the content above the rows, inside the scrolling element. */
  head: number
  scroller: () => HTMLElement | null
}

/** The visible rows. All rows have the same height. */
export function useVirtualRows({ count, height, head, scroller }: VirtualRows) {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const options = {
    count,
    getScrollElement: scroller,
    estimateSize: () => height,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
    overscan: 12,
    paddingStart: head,
    scrollPaddingStart: head,
  }
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options))
  rows.setOptions(options)
  useEffect(() => rows._didMount(), [rows])
  useLayoutEffect(() => rows._willUpdate())
  return rows
}
