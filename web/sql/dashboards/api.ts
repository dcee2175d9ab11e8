import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { Dashboard, DashboardEntry, DashboardPanel } from '../../../contract/dashboards.ts'
import { type Asking, requestJson } from '../../api/client.ts'
import { key } from '../../session.ts'

const root = 'api/v0/metrics/sql/dashboards'
const keyOf = (...what: unknown[]) => ['sql dashboards', key.value, ...what]

export const useDashboards = () =>
  useQuery({
    queryKey: keyOf('all'),
    queryFn: async ({ signal }) =>
      (await requestJson<{ dashboards: DashboardEntry[] }>(root, { signal })).dashboards,
    staleTime: 0,
  })

const read = async (id: number, signal?: AbortSignal): Promise<Dashboard> =>
  (await requestJson<{ dashboard: Dashboard }>(`${root}/${id}`, { ...(signal && { signal }) })).dashboard

export const useDashboard = (id: number) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => read(id, signal),
    // Changes by others appear at the next visit, so that running panels are not removed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnReconnect: false,
  })

interface Written {
  name: string
  panels: readonly DashboardPanel[]
}

/** The actions on dashboards. Each refreshes the cached dashboards. */
export function useDashboardActions() {
  const queryClient = useQueryClient()
  const act = async <Answer>(path: string, asking: Asking): Promise<Answer> => {
    const answer = await requestJson<Answer>(`${root}${path}`, asking)
    await queryClient.invalidateQueries({ queryKey: keyOf() })
    return answer
  }
  return {
    read,
    create: async (body: Written) => (await act<{ id: number }>('', { method: 'POST', body })).id,
    change: (id: number, body: Written & { revision: number }) =>
      act<unknown>(`/${id}`, { method: 'PUT', body }),
    remove: (id: number) => act<unknown>(`/${id}`, { method: 'DELETE' }),
  }
}
