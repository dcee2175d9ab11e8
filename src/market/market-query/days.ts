import type { z } from 'zod'
import { day as secondsPerDay } from '../../../contract/durations.ts'
import { floorTo, wholeBuckets } from '../../../contract/ladder.ts'
import type { daysFilter } from '../../../contract/price-index.ts'
import type { MarketState } from './answers.ts'
import { resolveNames } from './resolve.ts'

const usualDays = 90

/** A query about whole days in UTC. */
export interface DaysQuestion {
  names: string[]
  known: string[]
  /** Starts of days, unix seconds, `to` exclusive. */
  from: number
  to: number
  /** Changes whenever a day is published. The revision of the series does not. */
  published: number
}

/** The days that the range touches, cut to the series. */
export function resolveDays(
  query: z.infer<typeof daysFilter> & { gpu_name: string[] },
  { state, names, now }: MarketState,
): DaysQuestion {
  const end = query.end ?? now
  const start = query.start ?? Math.max(0, end - usualDays * secondsPerDay)
  const asked = wholeBuckets(secondsPerDay, { from: start, to: end })
  const from = Math.max(asked.from, floorTo(secondsPerDay, state.first_slot))
  const newest = floorTo(secondsPerDay, state.newest_slot) + secondsPerDay
  const to = Math.min(asked.to, newest, floorTo(secondsPerDay, state.hidden_from))
  return {
    ...resolveNames(query.gpu_name, names),
    ...(to > from ? { from, to } : { from: 0, to: 0 }),
    published: state.published,
  }
}
