import { useQuery } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import type { z } from 'zod'
import type { AlertBody, AlertTried } from '../../contract/alerts.ts'
import { sameName } from '../../contract/gpu-names.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { namesAnswer } from '../../contract/names.ts'
import { requestJson } from '../api/client.ts'
import { useMarket } from '../api/queries.ts'
import { useSources } from '../api/sources.ts'
import { key } from '../session.ts'

export const triedDays = 30

/** The parameter that asks for the market of a rule, whose `source` is null for the first one. Empty while the site has one market. */
export function useSourceOf(source: string | null): { source?: string } {
  const { data: [first, ...others] = [] } = useSources()
  return first && others.length > 0 ? { source: source ?? first.name } : {}
}

/** The trial of a rule on the past, and the present reading of a rule on a figure. `isKnown`: the market has its GPU. */
export function useTried({ source, condition }: Pick<AlertBody, 'source' | 'condition'>) {
  const names = useMarket<z.infer<typeof namesAnswer>>('names', useSourceOf(source)).data?.names
  const isKnown =
    !('gpu_name' in condition) || names?.some(({ name }) => sameName(name, condition.gpu_name)) === true
  const trial = useQuery({
    queryKey: ['alert trial', key.value, source, condition],
    queryFn: ({ signal }) =>
      requestJson<AlertTried>('api/v0/alerts/try', {
        method: 'POST',
        body: { source, condition, days: triedDays },
        signal,
      }),
    staleTime: 300_000,
    retry: false,
    enabled: isKnown,
  })
  // The reading does not depend on the limit, so it stays while another limit is tried.
  const subject =
    condition.kind === 'statistic'
      ? JSON.stringify([source, condition.gpu_name, condition.statistic, filterOf(condition)])
      : ''
  const last = useRef<{ subject: string; now: SeenFigure }>()
  if (trial.data?.now) last.current = { subject, now: trial.data.now }
  const now = last.current?.subject === subject ? last.current.now : undefined
  return { ...trial, now, isKnown: isKnown || names === undefined }
}

export type SeenFigure = NonNullable<AlertTried['now']>
