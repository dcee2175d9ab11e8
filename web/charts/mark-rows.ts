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
 * Names above a plot with their places, for lines in ascending order. Names of the first lines stand on the left, the others on the right; on
 * each side the innermost stands highest. So no name is crossed by a line or overlaps another one. As many as possible stand between the
 * ends, and in as few rows as possible.
 */
export function placedNames<One extends Name>(
  names: readonly One[],
  from: number,
  to: number,
  gap: number,
): (One & Place)[] {
  const all = names.length
  const isOutside = ({ at, width }: Name, isLeft: boolean) =>
    isLeft ? at - gap - width < from : at + gap + width > to
  const costOf = (left: number) =>
    names.filter((name, index) => isOutside(name, index < left)).length * all + Math.max(left, all - left)
  const [left = 0] = [...names.keys(), all].sort((one, other) => costOf(one) - costOf(other))
  return names.map((name, index) => ({
    ...name,
    isLeft: index < left,
    row: index < left ? left - 1 - index : index - left,
  }))
}
