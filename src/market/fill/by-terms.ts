import { daysLeftFrom, fillByTermsAnswer, type GpuFillByTerms } from '../../../contract/fill-by-terms.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { termNames } from '../../../contract/term-names.ts'
import { timeToRentQuery } from '../../../contract/time-to-rent.ts'
import { intervalsOfPair } from '../../../ingest/write-series.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { byName, selectHistogram } from '../market-query/select.ts'
import { slotsIn } from '../market-query/timeline.ts'
import { maxRowsToRead, resolveObserved } from './observed.ts'
import { type PositionRow, sumPositions } from './sum-positions.ts'

const description = `How fast GPUs of one GPU type are rented, by the fewest GPUs that can be rented at once and by the days until the listing ends:
the fill rate with its 95 % interval, as in \`fill\`. At most 31 days, in whole hours. The rates are observational, not causal: filter by rig size first,
since large rigs have larger parts.`

/** A row of fill/by_terms.sql. */
interface TermRow extends Omit<PositionRow, 'position'> {
  term: 'min_gpus' | 'days_left'
  bound: number
}

export const fillByTermsRoute = marketRoute({
  path: 'fill-by-terms',
  operationId: 'getGpuFillByTerms',
  summary: 'GPU fill rates by terms of the listing',
  description,
  query: timeToRentQuery,
  answer: fillByTermsAnswer,
  resolve: resolveObserved,
  open:
    ({ clickhouse }) =>
    async ({ names, known: _, ...question }, { interval, slots }) => {
      const { from, to } = question
      const parameters = {
        ...{ name: names[0] ?? '', from, to, ...filterOf(question) },
        ...{ longest: intervalsOfPair * interval, days: [...daysLeftFrom] },
        end_place: termNames.indexOf('end_date') + 1,
      }
      const statement = loadSql('clickhouse/queries/fill/by_terms')
      const rows = await selectHistogram<TermRow>(clickhouse, statement, parameters, maxRowsToRead)
      const answer = { from, to, slots: slotsIn(slots, { from, to }), ...groupsOf(rows) }
      return { gpus: byName(names, () => answer) }
    },
})

function groupsOf(rows: readonly TermRow[]): Pick<GpuFillByTerms, 'min_gpus' | 'days_left'> {
  const of = (term: TermRow['term']) =>
    rows
      .filter((row) => row.term === term)
      .map((row) => {
        const { all, return_rate } = sumPositions([{ ...row, position: 0 }])
        return { bound: row.bound < 0 ? null : row.bound, rates: { ...all, return_rate } }
      })
  return {
    min_gpus: of('min_gpus').map(({ bound, rates }) => ({ min_gpus: bound, ...rates })),
    days_left: of('days_left').map(({ bound, rates }) => ({
      from_days: bound,
      to_days: daysLeftFrom.find((day) => bound !== null && day > bound) ?? null,
      ...rates,
    })),
  }
}
