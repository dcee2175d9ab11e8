import { daysLeftFrom, fillByTermsAnswer, type GpuFillByTerms } from '../../../contract/fill-by-terms.ts'
import { termNames } from '../../../contract/listing-terms.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { timeToRentQuery } from '../../../contract/time-to-rent.ts'
import { longestPair } from '../../../platform/stores/slot-interval.ts'
import { rentalsReason, shownGroups } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { byName, selectHistogram } from '../market-query/select.ts'
import { slotsIn } from '../market-query/timeline.ts'
import { maxRowsToRead, resolveObserved } from './observed.ts'
import { type PositionRow, sumPositions } from './sum-positions.ts'

const description = `How fast GPUs of one GPU type are rented, by the fewest GPUs that can be rented at once, by the days until the listing ends and by the tier of the host:
the fill rate with its 95 % interval, as in \`fill\`. At most 31 days, in whole hours. The rates are observational, not causal: filter by rig size first,
since large rigs have larger parts. Groups of fewer than 5 machines or 3 hosts are left out, and so is the next smallest group where what is left out would
still be as few.`

/** The tiers by their numbers in the observations. */
const storedTiers = ['unknown', 'verified', 'unverified', 'deverified'] as const

/** A row of fill/by_terms. */
interface TermRow extends Omit<PositionRow, 'position'> {
  term: 'min_gpus' | 'days_left' | 'tier'
  bound: number
  machines: number[]
  hosts: string[]
}

export const fillByTermsRoute = marketRoute({
  path: 'fill-by-terms',
  operationId: 'getGpuFillByTerms',
  summary: 'GPU fill rates by terms of the listing',
  description,
  query: timeToRentQuery,
  answer: fillByTermsAnswer,
  withoutMachine: { reason: null, gpus: {} },
  resolve: resolveObserved,
  open:
    ({ clickhouse }) =>
    async ({ names, known: _, ...question }, { interval, slots, state }) => {
      const { from, to } = question
      const parameters = {
        name: names[0] ?? '',
        from,
        to,
        ...filterOf(question),
        longest: longestPair(interval),
        days: [...daysLeftFrom],
        end_place: termNames.indexOf('end_date') + 1,
      }
      const statement = 'fill/by_terms'
      const rows = await selectHistogram<TermRow>(clickhouse, statement, parameters, maxRowsToRead)
      const answer = { from, to, slots: slotsIn(slots, { from, to }), ...groupsOf(rows) }
      return { reason: rentalsReason(state.has_rentals), gpus: byName(names, () => answer) }
    },
})

function groupsOf(rows: readonly TermRow[]): Omit<GpuFillByTerms, 'from' | 'to' | 'slots'> {
  const of = (term: TermRow['term']) => {
    const groups = rows.filter((row) => row.term === term)
    const shown = shownGroups(groups).toSorted((one, other) => one.bound - other.bound)
    return { shown: shown.map(ratesOf), isLeftOut: shown.length < groups.length }
  }
  const [parts, ends, hosts] = [of('min_gpus'), of('days_left'), of('tier')]
  return {
    left_out: { min_gpus: parts.isLeftOut, days_left: ends.isLeftOut, tiers: hosts.isLeftOut },
    min_gpus: parts.shown.map(({ bound, rates }) => ({ min_gpus: bound, ...rates })),
    days_left: ends.shown.map(({ bound, rates }) => ({
      from_days: bound,
      to_days: daysLeftFrom.find((day) => bound !== null && day > bound) ?? null,
      ...rates,
    })),
    tiers: hosts.shown.map(({ bound, rates }) => ({ tier: storedTiers[bound ?? 0] ?? 'unknown', ...rates })),
  }
}

function ratesOf({ bound, machines: _, hosts: __, ...row }: TermRow) {
  const { all, return_rate } = sumPositions([{ ...row, position: 0 }])
  return { bound: bound < 0 ? null : bound, rates: { ...all, return_rate } }
}
