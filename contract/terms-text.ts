import { type TermName, termNames } from './term-names.ts'

/** Terms as a record has them. Those that it lacks are not known. */
export type GivenTerms = Partial<Record<TermName, unknown>>

const shares: readonly TermName[] = ['credit_discount_max', 'reliability']
const lastTime = 4_294_967_295
/** USD per hour, month or GB: such a figure has the wrong unit. */
const absurd = 100_000

/**
 * The terms of a listing as the series keeps them: a JSON array in the order of `termNames`, or '' where none is known. `gpus`: the bid is for so
 * many GPUs. No statistic of the market depends on a term, so one that cannot be read is not known, and its machine counts all the same.
 */
export function termsText(given: GivenTerms, gpus = 1): string {
  const values = termNames.map((name) => textOfTerm(name, given[name], name === 'min_bid' ? gpus : 1))
  return values.every((value) => value === 'null') ? '' : `[${values}]`
}

function textOfTerm(name: TermName, value: unknown, divisor: number): string {
  const text = typeof value === 'number' || typeof value === 'string' ? `${value}`.trim() : ''
  const figure = /^[\d.]+(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  if (name === 'end_date') {
    const time = Math.floor(figure)
    return time > 0 && time <= lastTime ? `${time}` : 'null'
  }
  if (!(figure >= 0 && figure <= (shares.includes(name) ? 1 : absurd))) return 'null'
  // As decimals: 0.19999999999999998 is 0.2, and PostgreSQL writes a number in the same way.
  return (figure / divisor).toFixed(9).replace(/\.?0+$/, '')
}
