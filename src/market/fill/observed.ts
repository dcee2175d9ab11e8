import type { z } from 'zod'
import { isShort, notShort, type timeToRentQuery } from '../../../contract/time-to-rent.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { MarketState } from '../market-query/answers.ts'
import { type FillQuestion, resolveFill } from './route.ts'

/** The most rows. A larger window takes seconds. */
export const maxRowsToRead = 10_000_000

/** The query for one GPU name, over whole hours whose observations are still kept. */
export function resolveObserved(query: z.infer<typeof timeToRentQuery>, moment: MarketState): FillQuestion {
  const { start, end = moment.now } = query
  if (!isShort({ start, end })) throw invalidArgs(notShort.error)
  const question = resolveFill(query, moment)
  return {
    ...question,
    from: Math.min(question.to, Math.max(question.from, moment.state.observed_since)),
  }
}
