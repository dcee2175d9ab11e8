/** The extent of a mark's name, in pixels along the x-axis. */
interface Extent {
  left: number
  right: number
}

/**
 * The row of each name (0: the first) without overlaps; undefined: no row has room. Earlier names choose first.
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
