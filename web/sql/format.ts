import { count } from '../format.ts'

/** The duration of a query. */
export const tookText = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`

export const rowsText = (rows: number): string => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`

/** A type without long parts, such as all values of an enumeration. */
export const shortType = (type: string): string => type.replace(/\([^()]{24,}\)/g, '(…)')
