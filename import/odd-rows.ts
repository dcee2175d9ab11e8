/** A row that is left out, and the reason. */
export interface LeftOutRow {
  line: number
  reason: string
}

/** Number of rows that are shown. Further rows are counted. */
export const shownRows = 10

/** With a larger share of odd rows, the file is probably of another kind. */
const mostOdd = 1 / 10
/** In a small file a single odd row is a large share. */
const fewOdd = 10

/** True if the share of odd rows is too large to trust the others. */
export const areTooOdd = (odd: number, rows: number): boolean => odd > fewOdd && odd > rows * mostOdd
