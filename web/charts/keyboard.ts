interface ChartKeys {
  /** Number of buckets. */
  length: number
  /** The bucket under the crosshair; null: there is none. */
  cursor: number | null
  /** Moves the crosshair to a bucket, or hides it. */
  point: (index: number | null) => void
  zoomIn: (index: number) => void
  zoomOut: () => void
}

/** Handles the keys of a focused chart. */
export function onChartKey(
  event: KeyboardEvent,
  { length, cursor, point, zoomIn, zoomOut }: ChartKeys,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return // the browser's own
  const last = length - 1
  const at = cursor ?? last
  const leap = Math.max(1, Math.round(last / 10))
  const moves: Record<string, () => void> = {
    ArrowLeft: () => point(Math.max(0, cursor === null ? last : at - 1)),
    ArrowRight: () => point(Math.min(last, at + 1)),
    PageUp: () => point(Math.max(0, at - leap)),
    PageDown: () => point(Math.min(last, at + leap)),
    Home: () => point(0),
    End: () => point(last),
    '+': () => zoomIn(at),
    '-': zoomOut,
    Escape: () => point(null),
  }
  const move = moves[event.key]
  if (!move || last < 0) return
  event.preventDefault()
  move()
}

/** A quarter of a range around a place, within the range. */
export function quarterAround(place: number, from: number, to: number): [number, number] {
  const length = (to - from) / 4
  const start = Math.max(from, Math.min(to - length, place - length / 2))
  return [start, start + length]
}
