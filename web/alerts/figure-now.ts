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

/** The reading of a rule on a figure at the newest snapshot; undefined: it is being read, or the market has no such GPU. */
export function useFigureNow(source: string | null, condition: Of<'statistic'>): SeenFigure | undefined {
  const { data: names } = useNames()
  const isKnown = names?.some(({ name }) => sameName(name, condition.gpu_name)) ?? false
  // Fields that do not change the figure have fixed values here, so that a change of them sends no request.
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

/** True if the service accepts the percentage, which may be half typed. */
const isAllowed = (condition: Of<'statistic'>): boolean =>
  !('by' in condition) || (condition.by >= leastPercent && condition.by <= mostPercent[condition.is])
