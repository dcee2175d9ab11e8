import { useQuery } from '@tanstack/preact-query'
import { leastPercent, mostPercent } from '../../contract/alert-kinds.ts'
import type { AlertTried } from '../../contract/alerts.ts'
import { sameName } from '../../contract/gpu-names.ts'
import { requestJson } from '../api/client.ts'
import { usualInterval } from '../api/freshness.ts'
import { keepUnlessOther, useNames } from '../api/queries.ts'
import { key } from '../session.ts'
import type { Of } from './words.ts'

export type SeenFigure = NonNullable<AlertTried['now']>

/** What a rule on a figure would see at the newest snapshot; undefined: it is not known yet, or the market has no such GPU. */
export function useFigureNow(source: string | null, condition: Of<'statistic'>): SeenFigure | undefined {
  const { data: names } = useNames()
  const isKnown = names?.some(({ name }) => sameName(name, condition.gpu_name)) ?? false
  // What does not matter to the figure does not ask again.
  const same = { clears_at: null, slots: 1 }
  const asked = 'by' in condition ? { ...condition, ...same } : { ...condition, ...same, limit: 0 }
  const question = { source, condition: asked, days: 1 }
  const { data } = useQuery({
    queryKey: ['figure now', key.value, question],
    queryFn: ({ signal }) =>
      requestJson<AlertTried>('api/v0/alerts/try', { method: 'POST', body: question, signal }),
    placeholderData: keepUnlessOther(question, 'by'),
    refetchInterval: usualInterval() || 300_000,
    enabled: isKnown && isAllowed(condition),
  })
  return data?.now ?? undefined
}

/** Whether the service takes its percentage, which may be half typed. */
const isAllowed = (condition: Of<'statistic'>): boolean =>
  !('by' in condition) || (condition.by >= leastPercent && condition.by <= mostPercent[condition.is])
