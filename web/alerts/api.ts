import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { AlertBody, AlertMessage, AlertRule } from '../../contract/alerts.ts'
import { type Asking, requestJson } from '../api/client.ts'
import { usualInterval } from '../api/freshness.ts'
import { key } from '../session.ts'

const root = 'api/v0/alerts'
const keyOf = (what: string) => ['alerts', what, key.value]

export const useRules = () =>
  useQuery({
    queryKey: keyOf('rules'),
    queryFn: async ({ signal }) => (await requestJson<{ rules: AlertRule[] }>(root, { signal })).rules,
    refetchInterval: usualInterval() || 300_000,
  })

export const useMessages = () =>
  useQuery({
    queryKey: keyOf('messages'),
    queryFn: async ({ signal }) =>
      (await requestJson<{ messages: AlertMessage[] }>(`${root}/messages`, { signal })).messages,
    refetchInterval: usualInterval() || 300_000,
  })

/** The result of a test delivery. */
export interface Tested {
  email: boolean
  webhook: { delivered: boolean; status: number | null; reason: string | null } | null
}

/** The actions on rules. Each refreshes the lists. */
export function useActions() {
  const queryClient = useQueryClient()
  const act = async <Answer>(path: string, asking: Asking): Promise<Answer> => {
    const answer = await requestJson<Answer>(`${root}${path}`, asking)
    queryClient.invalidateQueries({ queryKey: ['alerts'] }) // the action is complete before the lists are read again
    return answer
  }
  return {
    create: (body: AlertBody) =>
      act<{ rule: AlertRule; webhook_secret: string | null }>('', { method: 'POST', body }),
    change: (id: number, body: AlertBody) =>
      act<{ rule: AlertRule; webhook_secret: string | null }>(`/${id}`, { method: 'PUT', body }),
    silence: (id: number, until: number | null) =>
      act<unknown>(`/${id}/silence`, { method: 'PUT', body: { until } }),
    test: (id: number) => act<Tested>(`/${id}/test`, { method: 'POST', body: {} }),
    remove: (id: number) => act<unknown>(`/${id}`, { method: 'DELETE' }),
    openFeed: () => act<{ url: string }>('/feed', { method: 'POST', body: {} }),
    closeFeed: () => act<unknown>('/feed', { method: 'DELETE' }),
  }
}
