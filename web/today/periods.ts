import { day, week } from '../../contract/durations.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { View } from '../view.ts'

export type Period = View['period']

interface PeriodWords {
  name: string
  /** The period in a sentence. */
  last: string
  seconds: number
  /** Its place in the figures of a row, and its names in the figures of a machine. */
  index: 0 | 1 | 2
  of: '1d' | '7d' | '30d'
  income: 'income_1d' | 'income_7d' | 'income_30d'
  /** The days of the chart that the sentence is about. */
  strong: number
}

/** The periods whose earnings are shown. A day of 24 hours touches two days of the chart. */
export const periods: Record<Period, PeriodWords> = {
  day: {
    name: 'Day',
    last: '24 hours',
    seconds: day,
    index: 0,
    of: '1d',
    income: 'income_1d',
    strong: 2,
  },
  week: {
    name: 'Week',
    last: '7 days',
    seconds: week,
    index: 1,
    of: '7d',
    income: 'income_7d',
    strong: 7,
  },
  month: {
    name: 'Month',
    last: '30 days',
    seconds: 30 * day,
    index: 2,
    of: '30d',
    income: 'income_30d',
    strong: 30,
  },
}

/** The earnings of a period beside the amount that they are compared with, USD. */
export interface Compared {
  /** Positive: more was earned. */
  more: number
  base: number
  /** The expectation at the present prices, and the machines without one; null: the base is the mean of the days before. */
  expected: { low: number; high: number; unknown: number } | null
}

/**
 * Compares the earnings of a period with the estimate of the income at the present prices, for the time in which each machine was on the market.
 * Machines without an estimate count as they earned; where these earned most of the sum, the days before the period are the base. null: neither is known.
 */
export function compare(machines: readonly OwnMachine[], period: Period): Compared | null {
  const { of, income } = periods[period]
  const seen = machines.flatMap(({ figures }) => {
    const earned = figures?.[income] ?? null
    return figures && earned !== null && figures.covered_seconds[of] > 0 ? [{ figures, earned }] : []
  })
  const known = seen.flatMap(({ figures, earned }) => {
    const share = figures.covered_seconds[of] / (30 * day)
    const { income: month } = figures
    return month
      ? [{ earned, value: month.value * share, low: month.low * share, high: month.high * share }]
      : []
  })
  const total = sumOf(seen, 'earned')
  const rest = total - sumOf(known, 'earned')
  if (known.length === 0 || rest > total / 2) return compareWithPast(machines, period)
  const base = sumOf(known, 'value') + rest
  return {
    more: total - base,
    base,
    expected: {
      low: sumOf(known, 'low') + rest,
      high: sumOf(known, 'high') + rest,
      unknown: seen.length - known.length,
    },
  }
}

const longer = { day: 'week', week: 'month', month: null } as const

/** Compares the earnings of a period with the rest of the next longer one, if at least three periods of a day are known of it. */
function compareWithPast(machines: readonly OwnMachine[], period: Period): Compared | null {
  const past = longer[period]
  if (past === null) return null
  const { income, seconds } = periods[period]
  const earnedIn = (name: PeriodWords['income']) =>
    machines.reduce((sum, { figures }) => sum + (figures?.[name] ?? 0), 0)
  const covered = Math.max(
    0,
    ...machines.map(({ figures }) => figures?.covered_seconds[periods[past].of] ?? 0),
  )
  const before = covered - seconds
  if (before < 3 * day) return null
  const base = ((earnedIn(periods[past].income) - earnedIn(income)) * seconds) / before
  return { more: earnedIn(income) - base, base, expected: null }
}

const sumOf = <Name extends string>(rows: readonly Record<Name, number>[], name: Name): number =>
  rows.reduce((sum, row) => sum + row[name], 0)
