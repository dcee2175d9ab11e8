/** A cell of a table; row -1: the names of the columns. */
export interface Place {
  row: number
  column: number
}

export interface Extent {
  rows: number
  columns: number
  /** Number of visible rows. */
  page: number
}

/** The cell that a key leads to, as in ARIA's grid pattern; undefined: the key does not move. */
export function placeAfter(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Place,
  { rows, columns, page }: Extent,
): Place | undefined {
  const isFar = ctrlKey || metaKey
  const [lastRow, lastColumn] = [rows - 1, columns - 1]
  const places: Record<string, Place> = {
    ArrowUp: { row: isFar ? -1 : row - 1, column },
    ArrowDown: { row: isFar ? lastRow : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? lastColumn : column + 1 },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
    Home: { row: isFar ? -1 : row, column: 0 },
    End: { row: isFar ? lastRow : row, column: lastColumn },
  }
  const place = places[key]
  return place && { row: within(-1, place.row, lastRow), column: within(0, place.column, lastColumn) }
}

const within = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value))
