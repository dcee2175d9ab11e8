import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The width of an element, which changes with the page. */
export function useWidth(usual: number) {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usual)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const read = () => setWidth(measured.clientWidth)
    read()
    const observer = new ResizeObserver(read)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
