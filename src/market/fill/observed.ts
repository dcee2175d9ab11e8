import type { z } from 'zod'
import { withTier } from '../../../contract/tiers.ts'
import { isShort, notShort, type timeToRentQuery } from '../../../contract/time-to-rent.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { MarketState } from '../market-query/answers.ts'
import { type FillQuestion, resolveFill } from './route.ts'

/** The most rows. A larger window takes seconds. */
export const maxRowsToRead = 10_000_000

/** A question about one GPU name over observations, which have the tier of the host. */
export type ObservedQuestion = FillQuestion & { tier: string }

/** The query for one GPU name, over whole hours whose observations are still kept. */
export function resolveObserved(
  given: z.infer<typeof timeToRentQuery>,
  moment: MarketState,
): ObservedQuestion {
  const query = withTier(given)
  const { start, end = moment.now } = query
  if (!isShort({ start, end })) throw invalidArgs(notShort.error)
  const question = resolveFill(query, moment)
  return {
    ...question,
    tier: query.tier,
    from: Math.min(question.to, Math.max(question.from, moment.state.observed_since)),
  }
}
