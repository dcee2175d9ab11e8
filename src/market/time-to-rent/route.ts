import { hour } from '../../../contract/durations.ts'
import { timeToRentAnswer, timeToRentQuery } from '../../../contract/time-to-rent.ts'
import { longestPair } from '../../../platform/stores/slot-interval.ts'
import { maxRowsToRead, resolveObserved } from '../fill/observed.ts'
import type { FillQuestion } from '../fill/route.ts'
import { rentalsReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { byName, selectHistogram } from '../market-query/select.ts'
import { survivalOf } from '../survival.ts'

const description = `Kaplan–Meier curve of the time until the first available GPU of a machine is rented, for one GPU type: the share that waits
longer, with its 95 % interval. A wait whose end was not observed counts for as long as it was observed (right-censored). At most 31 days, in whole
hours.`

/** A row of fill/spells. */
interface Spells {
  seconds: number
  rented_from: boolean
  spells: number
}

export const timeToRentRoute = marketRoute({
  path: 'time-to-rent',
  operationId: 'getGpuTimeToRent',
  summary: 'Time to the first rental',
  description,
  query: timeToRentQuery,
  answer: timeToRentAnswer,
  withoutMachine: { reason: null, gpus: {} },
  resolve: resolveObserved,
  open:
    ({ clickhouse }) =>
    async ({ names, known: _, ...question }, { interval, state }) => {
      const [name = ''] = names
      const parameters = { name, ...question, longest: longestPair(interval) }
      const spells = 'fill/spells'
      const [rows, [{ swept = false } = {}]] = await Promise.all([
        selectHistogram<Spells>(clickhouse, spells, parameters, maxRowsToRead),
        selectHistogram<{ swept: boolean }>(clickhouse, 'fill/swept', parameters, maxRowsToRead),
      ])
      const answer = { ...answerOf(question, rows), swept: Boolean(swept) }
      return { reason: rentalsReason(state.has_rentals), gpus: byName(names, () => answer) }
    },
})

function answerOf({ from, to }: Pick<FillQuestion, 'from' | 'to'>, rows: readonly Spells[]) {
  const count = (some: readonly Spells[]) => some.reduce((sum, { spells }) => sum + spells, 0)
  const { median, ages, ...shares } = survivalOf(
    rows.map(({ seconds, rented_from, spells }) => ({
      from: 0,
      to: seconds / hour,
      happened: rented_from,
      subjects: spells,
    })),
  )
  return {
    from,
    to,
    spells: count(rows),
    rented: count(rows.filter(({ rented_from }) => rented_from)),
    median_hours: median,
    hours: ages,
    ...shares,
  }
}
