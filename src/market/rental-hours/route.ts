import type { z } from 'zod'
import { day, hour } from '../../../contract/durations.ts'
import { ceilTo, floorTo } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import {
  type GpuRentalHours,
  isShort,
  notShort,
  rentalHoursAnswer,
  rentalHoursQuery,
  usualDays,
} from '../../../contract/rental-hours.ts'
import type { CountedHour } from '../../../estimates/hour-model.ts'
import { priorEvents } from '../../../estimates/overdispersion.ts'
import { type FoundPattern, patternOf } from '../../../estimates/rental-hours.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { MarketState } from '../market-query/answers.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveNames } from '../market-query/resolve.ts'
import { byName, selectHistogram } from '../market-query/select.ts'

const description = `The hours of the week at which available GPUs of one GPU type are rented faster than usual: the fill rate of each hour ÷ mean of the
week, with its 95 % interval. Whole days (UTC), at most 92. A pattern is answered only if hours differ significantly, in one test of all hours: of
markets without a pattern at most 5 % show one. The intervals account for GPUs that are rented together and for days that differ.`

/** A row of fill/hours. */
interface HourRow extends CountedHour {
  exposed_seconds: number
  exposed_rigs: number
  exposed_gap: number
}

/** The query over whole days, the last of which has ended. */
function resolveWholeDays(
  { gpu_name, start, end, ...filter }: z.infer<typeof rentalHoursQuery>,
  { state, names, now }: MarketState,
) {
  if (!isShort({ start, end: end ?? now })) throw invalidArgs(notShort.error)
  const to = floorTo(day, Math.min(end ?? now, state.newest_slot, state.hidden_from))
  const from = Math.max(ceilTo(day, start ?? to - usualDays * day), floorTo(day, state.first_slot))
  return {
    ...filter,
    ...resolveNames(gpu_name, names),
    ...(to > from ? { from, to } : { from: 0, to: 0 }),
  }
}

export const rentalHoursRoute = marketRoute({
  path: 'rental-hours',
  operationId: 'getGpuRentalHours',
  summary: 'Hours of the week at which GPUs are rented',
  description,
  query: rentalHoursQuery,
  answer: rentalHoursAnswer,
  lasts: day,
  resolve: resolveWholeDays,
  open:
    ({ clickhouse }) =>
    async ({ names, known: _, from, to, ...filter }, { state }) => {
      const parameters = { name: names[0] ?? '', ...filterOf(filter), from, to, usual: priorEvents }
      const rows = await selectHistogram<HourRow>(clickhouse, 'fill/hours', parameters)
      const answer = { from, to, ...answerOf(rows, state.has_rentals) }
      return { gpus: byName(names, () => answer) }
    },
})

function answerOf(rows: readonly HourRow[], hasRentals: boolean): Omit<GpuRentalHours, 'from' | 'to'> {
  const total = (what: (row: HourRow) => number) => rows.reduce((sum, row) => sum + what(row), 0)
  const seconds = total((row) => row.exposed_seconds)
  const exposure_gpu_hours = seconds / hour
  const rentals = total((row) => row.rentals)
  const counted = {
    rentals,
    exposure_gpu_hours,
    fill_rate: seconds > 0 ? rentals / exposure_gpu_hours : null,
  }
  if (!hasRentals) return { ...counted, reason: 'no_rentals_known', p_value: null, pattern: null }
  const found = patternOf({
    hours: rows,
    exposure_gpu_hours,
    meanRig: total((row) => row.exposed_rigs) / Math.max(1, seconds),
    apart: total((row) => row.exposed_gap) / Math.max(1, seconds),
  })
  return { ...counted, reason: found.reason, p_value: found.p_value, pattern: shown(found) }
}

function shown({ pattern }: FoundPattern): GpuRentalHours['pattern'] {
  if (!pattern) return null
  const { ratios, ...rest } = pattern
  return {
    ratio: ratios.map(({ value }) => value),
    low: ratios.map(({ low }) => low),
    high: ratios.map(({ high }) => high),
    ...rest,
  }
}
