/** A name beside a vertical line: the place of the line and the width of the name, in pixels along the x-axis. */
interface Name {
  at: number
  width: number
}

/** The side and the row (0: the highest) of a name. */
interface Place {
  isLeft: boolean
  row: number
}

/**
 * The places of names above a plot, for lines in ascending order. Names of the first lines stand on the left, the others on the right; on
 * each side the innermost stands highest. So no name is crossed by a line or overlaps another one. As many as possible stand between the
 * ends, and in as few rows as possible.
 */
export function placesOfNames(names: readonly Name[], from: number, to: number, gap: number): Place[] {
  const fits = ({ at, width }: Name, isLeft: boolean) =>
    isLeft ? at - gap - width >= from : at + gap + width <= to
  const counts = Array.from({ length: names.length + 1 }, (_, onLeft) => ({
    onLeft,
    outside: names.filter((name, index) => !fits(name, index < onLeft)).length,
    rows: Math.max(onLeft, names.length - onLeft),
  }))
  const [best] = counts.sort((one, other) => one.outside - other.outside || one.rows - other.rows)
  const onLeft = best?.onLeft ?? 0
  return names.map((_, index) =>
    index < onLeft ? { isLeft: true, row: onLeft - 1 - index } : { isLeft: false, row: index - onLeft },
  )
}
