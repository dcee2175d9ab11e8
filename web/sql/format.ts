import { count } from '../format.ts'

/** How long a query took. */
export const tookText = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`

export const rowsText = (rows: number): string => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`

/** Without what makes it long, such as all the values of an enumeration. */
export const shortType = (type: string): string => type.replace(/\([^()]{24,}\)/g, '(…)')
