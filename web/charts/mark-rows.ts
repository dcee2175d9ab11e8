/** Where the name of a mark would stand, in pixels along the x-axis. */
interface Extent {
  left: number
  right: number
}

/**
 * The row of each name, 0 the first, so that none covers another; undefined where none of the rows has room. Earlier names choose first.
 */
export function rowsOfNames(names: readonly Extent[], rows: number, gap: number): (number | undefined)[] {
  const taken: Extent[][] = Array.from({ length: rows }, () => [])
  return names.map((name) => {
    const isFree = (row: readonly Extent[]) =>
      row.every(({ left, right }) => name.right + gap <= left || name.left >= right + gap)
    const index = taken.findIndex(isFree)
    taken[index]?.push(name)
    return index < 0 ? undefined : index
  })
}
