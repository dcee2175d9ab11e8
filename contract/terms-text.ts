import { type TermName, termNames, terms } from './listing-terms.ts'

/** Terms in a record. Missing terms are unknown. */
export type GivenTerms = Partial<Record<TermName, unknown>>

const lastTime = 4_294_967_295
/** Above this, a figure in USD per hour, month or GB has the wrong unit. */
const absurd = 100_000

/**
 * The terms of a listing as the series stores them: a JSON array in the order of `termNames`, or '' if all are unknown. `gpus`: the bid is
 * for this many GPUs. No statistic of the market depends on a term, so an unreadable term is unknown, and its machine still counts.
 */
export function termsText(given: GivenTerms, gpus = 1): string {
  const values = termNames.map((name) => textOfTerm(name, given[name], name === 'min_bid' ? gpus : 1))
  return values.every((value) => value === 'null') ? '' : `[${values}]`
}

function textOfTerm(name: TermName, value: unknown, divisor: number): string {
  const text = typeof value === 'number' || typeof value === 'string' ? `${value}`.trim() : ''
  const figure = /^[\d.]+(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  const { measure } = terms[name]
  if (measure === 'time') {
    const time = Math.floor(figure)
    return time > 0 && time <= lastTime ? `${time}` : 'null'
  }
  if (!(figure >= 0 && figure <= (measure === 'share' ? 1 : absurd))) return 'null'
  // Numbers are compared as decimals: 0.19999999999999998 is 0.2. PostgreSQL writes numbers in the same way.
  return (figure / divisor).toFixed(9).replace(/\.?0+$/, '')
}
