import { day } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { MarketState } from './answers.ts'

/** A question about the days before the newest published one. */
export interface PublishedQuestion {
  from: number
  to: number
  /** Changes whenever a day is published. */
  published: number
  hasRentals: boolean
}

/** The days that readers may see, at most `days` of them. */
export function publishedBefore({ state }: MarketState, days: number): PublishedQuestion {
  const newest = floorTo(day, state.newest_slot) + day
  const to = Math.min(newest, floorTo(day, state.hidden_from))
  return {
    from: Math.max(0, to - days * day),
    to,
    published: state.published,
    hasRentals: state.has_rentals,
  }
}

/** The end of the newest published day, and the published days of those before it; 0: none. */
export const readPublished = async (
  clickhouse: ClickHouse,
  { to }: PublishedQuestion,
  most: number,
): Promise<{ to: number; days: number }> =>
  one(await selectRows<{ to: number; days: number }>(clickhouse, 'returns/published', { to, most }))

/** Incomes of fewer days are no figure. */
const fewestDays = 7

/** The reason for the lack of incomes; null: there are some. */
export const whyNoIncomes = (days: number, hasRentals: boolean) =>
  hasRentals ? (days < fewestDays ? ('young_market' as const) : null) : ('no_rentals_known' as const)
