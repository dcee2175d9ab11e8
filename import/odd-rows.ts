/** A larger share of odd rows means that the file is not what it is taken for. */
const mostOdd = 1 / 10
/** In a small file one slip is a large share. */
const fewOdd = 10

/** Whether so many rows are odd that none of them can be trusted. */
export const areTooOdd = (odd: number, rows: number): boolean => odd > fewOdd && odd > rows * mostOdd
