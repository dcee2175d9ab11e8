import type { QueryClient } from '@tanstack/preact-query'
import { mostCompared } from '../../contract/chart-choices.ts'
import { day, hour } from '../../contract/durations.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { GpuName } from '../../contract/names.ts'
import type { HistoryQuestion } from '../api/history.ts'
import { machineListQuery } from '../api/machines.ts'
import { historyQuery, namesQuery } from '../api/queries.ts'
import { present } from '../clock.ts'
import { focusOf, rangeOf, ranges, type Span, type View } from '../view.ts'
import { byGpus, dataOf, spelled, usualNames } from './gpus.ts'

const weekAndDay = 8 * day

/**
 * The content of a view's charts: the GPU types, the range, and the queries for them. `isKnown`: true once the queries can be sent. `official`: the first time of
 * official aggregates.
 */
export function shownOf(view: View, names: readonly GpuName[] | undefined, official?: number | null) {
  const gpus = view.gpus.map((name) => spelled(name, names))
  const chosen = gpus[0] === 'all' ? byGpus(names) : gpus
  const focus = focusOf(view, chosen)
  const looked = view.layout === 'one' ? [focus] : chosen
  const own = dataOf(looked, names)
  const data = own && { ...own, from: Math.min(own.from, official ?? own.from) }
  const span = rangeOf(view, data ?? { from: 0, to: 0 })
  const question: HistoryQuestion = {
    gpu_name: gpus.join(),
    ...filterOf(view),
    ...timesOf(view, span),
    ...(view.step > 0 && { step: view.step }),
  }
  const isKnown = gpus.length > 0 && (view.range !== 'all' || data !== undefined)
  /** The GPU types with a card each. */
  const carded = view.layout === 'grid' ? [] : chosen.slice(0, mostCompared)
  const pulse = { gpu_name: carded.join(), ...filterOf(view), start: -weekAndDay, step: hour }
  return { gpus, chosen, focus, looked, data, span, question, isKnown, carded, pulse }
}

/** A range that ends now is requested by its length, so that it moves with the time. */
function timesOf({ range }: View, { from, to }: Span): Pick<HistoryQuestion, 'start' | 'end'> {
  if (range === 'custom') return { start: from, end: to }
  if (range !== 'all') return { start: -ranges[range] }
  return to > present() - 60 ? { start: from } : { start: from, end: to }
}

/** Requests the data that the charts show first. */
export async function prefetchCharts(client: QueryClient, view: View): Promise<void> {
  const names = await client.fetchQuery(namesQuery())
  const usual = async () => usualNames(names, (await client.fetchQuery(machineListQuery())).machines)
  const gpus = view.gpus.length > 0 ? view.gpus : await usual()
  const { question, isKnown, carded, pulse } = shownOf({ ...view, gpus }, names)
  if (isKnown) client.prefetchQuery(historyQuery(question))
  if (carded.length > 0) client.prefetchQuery(historyQuery(pulse))
}
