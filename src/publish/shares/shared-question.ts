import { mostCompared } from '../../../contract/chart-choices.ts'
import { withTier } from '../../../contract/filter-fields.ts'
import { historyQuery, type SeriesQuery } from '../../../contract/history.ts'
import { askedFilters, filterParameters } from '../../../contract/market-filter.ts'
import type { SharedChart } from '../../../contract/shares.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { refuseFuture } from '../../market/market-query/answers.ts'
import { refuseClasses } from '../../market/market-query/market-route.ts'

/** The history query of a chart at a time (unix seconds). Queries that the history would refuse are 400 here, too. */
export function questionOf({ query, last }: Pick<SharedChart, 'query' | 'last'>, now: number): SeriesQuery {
  const { data: given, error } = historyQuery.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (!given) throw invalidArgs(error.issues[0]?.message ?? 'Invalid query')
  const data: SeriesQuery = withTier(given)
  refuseClasses(data)
  const { gpu_name: names, start, end } = data
  if (names.length > mostCompared || names.some((name) => name.toLowerCase() === 'all'))
    throw invalidArgs(`query must name at most ${mostCompared} GPU types`)
  refuseFuture(data, now)
  if (last === null) return data
  if (start !== undefined || end !== undefined)
    throw invalidArgs('query must not have start or end together with last')
  return { ...data, start: now - last }
}

/** The source in a query string; undefined: the first one. */
export const sourceOf = (query: string): string | undefined =>
  new URLSearchParams(query).get('source') ?? undefined

/** A query as a query string, with all of its filters and no other fields. */
export function queryOf(question: SeriesQuery, source: string | undefined): string {
  const { gpu_name, start, end, step } = question
  const asked = {
    gpu_name: gpu_name.join(),
    ...askedFilters(filterParameters(question)),
    start,
    end,
    step,
    source,
  }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return `${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}
