import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/preact-query'
import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import type {
  AutopilotDecision,
  AutopilotSuggestion,
  DryRunReplay,
} from '../../contract/autopilot-decisions.ts'
import type { AutopilotStage } from '../../contract/autopilot-kinds.ts'
import { type Asking, requestJson } from '../api/client.ts'
import { usualInterval } from '../api/freshness.ts'
import { key } from '../session.ts'

const root = 'api/v0/metrics/autopilot'

const useList = <Answer>(what: string) =>
  useQuery({
    queryKey: ['autopilot', what, key.value],
    queryFn: ({ signal }) => requestJson<Answer>(`${root}/${what}`, { signal }),
    refetchInterval: usualInterval() || 300_000,
  })

export const useRules = () => useList<{ rules: AutopilotRule[] }>('rules')

interface Ledger {
  decisions: AutopilotDecision[]
  next_token: string | null
}

/** The decisions on prices, the newest first, in pages. */
export const useLedger = () =>
  useInfiniteQuery({
    queryKey: ['autopilot', 'decisions', key.value],
    queryFn: ({ pageParam, signal }) =>
      requestJson<Ledger>(`${root}/decisions${pageParam ? `?after_token=${pageParam}` : ''}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_token }: Ledger) => next_token,
    refetchInterval: usualInterval() || 300_000,
  })
export const useSuggestions = () =>
  useList<{ stopped: boolean; suggestions: AutopilotSuggestion[] }>('suggestions')

export const useDryRun = (id: number) => useList<{ replay: DryRunReplay }>(`rules/${id}/replay`)

/** Prices to set once, in the market of a source; null: the first one. */
export interface Applied {
  source: string | null
  changes: { machine_id: number; from: number; price: number }[]
}

/** The actions on rules and prices. Each refreshes the lists. */
export function useActions() {
  const queryClient = useQueryClient()
  const refresh = () => {
    queryClient.invalidateQueries({ queryKey: ['autopilot'] })
    queryClient.invalidateQueries({ queryKey: ['machines'] })
  }
  const act = async <Answer>(path: string, asking: Asking, isLast = true): Promise<Answer> => {
    let refreshes = true
    try {
      const answer = await requestJson<Answer>(`${root}${path}`, asking)
      refreshes = isLast
      return answer
    } finally {
      if (refreshes) refresh()
    }
  }
  return {
    create: (body: AutopilotBody) =>
      act<{ rule: AutopilotRule; webhook_secret: string | null }>('/rules', { method: 'POST', body }),
    change: (id: number, body: AutopilotBody) =>
      act<{ rule: AutopilotRule; webhook_secret: string | null }>(`/rules/${id}`, { method: 'PUT', body }),
    remove: (id: number) => act<unknown>(`/rules/${id}`, { method: 'DELETE' }),
    setStage: (id: number, stage: AutopilotStage) =>
      act<unknown>(`/rules/${id}/stage`, { method: 'PUT', body: { stage } }),
    stop: (stopped: boolean) => act<unknown>('/stop', { method: 'PUT', body: { stopped } }),
    /** `isLast`: no further changes follow, so the lists are refreshed. */
    apply: (body: Applied, isLast: boolean) =>
      act<{ decisions: AutopilotDecision[] }>('/apply', { method: 'POST', body }, isLast),
    undo: (id: string) =>
      act<{ decision: AutopilotDecision }>(`/decisions/${id}/undo`, { method: 'POST', body: {} }),
  }
}
