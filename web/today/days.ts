import { day } from '../../contract/durations.ts'
import type { OwnIncomeAnswer } from '../../contract/own-income.ts'
import type { OwnMachine } from '../api/queries.ts'
import { counted, dayOfWeek, earned } from '../format.ts'

/** One bar of the chart. */
export interface IncomeBar {
  /** Start of the day in UTC, unix seconds. */
  day: number
  /** USD before costs; null: unknown. */
  income: number | null
  net: number | null
  /** The expected income of the recorded part of the day; null: unknown. */
  expected: number | null
  isPresent: boolean
  /** The recorded share of the day. */
  recorded: number
}

/** The expected income of a day at the present prices, USD. null: it is unknown for a machine that is on offer. */
export function expectedADay(machines: readonly OwnMachine[]): number | null {
  const offered = machines.filter(({ online, price }) => online && price !== null)
  const months = offered.map(({ figures }) => figures?.income?.value)
  const known = months.filter((income) => income !== undefined)
  return known.length === 0 || known.length < months.length
    ? null
    : known.reduce((sum, income) => sum + income / 30, 0)
}

/** The days of an answer as bars. Empty: nothing was recorded, or rentals are not known. */
export function barsOf({ days }: OwnIncomeAnswer, expected: number | null): IncomeBar[] {
  if (days.every(({ income }) => income === null)) return []
  return days.map(({ day: start, income, net, recorded_seconds }, index) => {
    const recorded = Math.min(1, recorded_seconds / day)
    return {
      day: start,
      income,
      net,
      expected: income === null || expected === null ? null : expected * recorded,
      isPresent: index === days.length - 1,
      recorded,
    }
  })
}

/** The top of the axis, and the values of its lines: at most four, at round amounts. */
export function axisOf(bars: readonly IncomeBar[]): { top: number; lines: number[] } {
  const most = Math.max(...bars.flatMap(({ income, expected }) => [income ?? 0, expected ?? 0]))
  const least = Math.max(most, 0.04) / 4
  const unit = 10 ** Math.floor(Math.log10(least))
  const step = unit * ([1, 2, 5].find((times) => unit * times >= least) ?? 10)
  const count = Math.floor(Math.max(most, step) / step)
  return { top: Math.max(most, step), lines: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

/** The day of a bar with what is special about it. */
export function dayWords({ day: start, isPresent, recorded, income }: IncomeBar): string {
  const name = dayOfWeek(start)
  if (income === null) return `${name}, not recorded`
  if (isPresent) return `${name}, so far`
  return recorded < 0.99 ? `${name}, ${counted(Math.round(24 * recorded), 'hour')} recorded` : name
}

/** The amounts of a bar in words. */
export const amountsOf = ({ income, net, expected }: IncomeBar): string[] => [
  ...(income === null ? [] : [`${earned(income)} earned`]),
  ...(expected === null ? [] : [`${earned(expected)} expected`]),
  ...(net === null ? [] : [`${earned(net)} net`]),
]
