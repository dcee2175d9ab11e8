import { useQuery } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { availabilityAnswer } from '../../contract/availability.ts'
import type { depthAnswer } from '../../contract/depth.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { type HistoryQuestion, thisMinute } from '../api/history.ts'
import { keepUnlessOther } from '../api/keep-unless-other.ts'
import { marketQuery, useMarket } from '../api/queries.ts'
import type { View } from '../view.ts'

/** The query for a book: a GPU type, and the shown range. */
export interface BookOf {
  view: View
  name: string
  question: HistoryQuestion
}

/** The range of a history query of one GPU type, and the query itself. */
export function spanOf({ name, question }: BookOf) {
  const now = thisMinute()
  return {
    now,
    from: question.start < 0 ? now + question.start : question.start,
    to: question.end ?? now,
    asked: { ...question, gpu_name: name, step: undefined },
  }
}

/** The book of one GPU type and its availability over time, each with its query. */
export function useBook({ view, name, question }: BookOf) {
  const { need, most } = view
  const book = {
    gpu_name: name,
    ...filterOf(view),
    gpus: need,
    per_machine: view.together === 'yes' ? need : 1,
  }
  const hours = { ...spanOf({ view, name, question }).asked, gpus: need, price: most || undefined }
  const isAsked = name !== ''
  const depths = useMarket<z.infer<typeof depthAnswer>>('depth', book, isAsked)
  const availabilities = useQuery({
    ...marketQuery<z.infer<typeof availabilityAnswer>>('availability', hours),
    placeholderData: keepUnlessOther(hours, 'price'), // the price duration curve does not depend on the price
    enabled: isAsked,
  })
  return { book, hours, depths, availabilities }
}
