import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { auditedQuery, savedQuery, sqlSchema, sqlTable } from '../../contract/sql.ts'
import { requestJson } from '../api/client.ts'
import { key } from '../session.ts'

export type SqlSchema = z.infer<typeof sqlSchema>
export type SqlTable = z.infer<typeof sqlTable>
export type SavedQuery = z.infer<typeof savedQuery>
export type AuditedQuery = z.infer<typeof auditedQuery>

const root = 'api/v0/metrics/sql'

export const useSchema = () =>
  useQuery({
    queryKey: ['sql schema', key.value],
    queryFn: ({ signal }) => requestJson<SqlSchema>(`${root}/schema`, { signal }),
    staleTime: 300_000,
  })

/** The newest queries first. Their costs are recorded a moment after their end. */
export const useQueries = (mine: boolean) =>
  useQuery({
    queryKey: ['sql queries', key.value, mine],
    queryFn: ({ signal }) => requestJson<AuditedQuery[]>(`${root}/queries?mine=${mine}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: 5000,
  })

const savedKey = () => ['sql saved', key.value]

export const useSaved = () =>
  useQuery({
    queryKey: savedKey(),
    queryFn: ({ signal }) => requestJson<SavedQuery[]>(`${root}/saved`, { signal }),
    staleTime: 0,
  })

/** Saves and deletes queries, and refreshes the list. */
export function useSaving() {
  const queryClient = useQueryClient()
  const reread = () => queryClient.invalidateQueries({ queryKey: savedKey() })
  return {
    async save(body: Pick<SavedQuery, 'name' | 'query' | 'shared'>): Promise<void> {
      await requestJson(`${root}/saved`, { method: 'POST', body })
      await reread()
    },
    async forget(id: number): Promise<void> {
      await requestJson(`${root}/saved/${id}`, { method: 'DELETE' })
      await reread()
    },
  }
}

/** The path of a download, below the base address. It works once and for a short time. */
export const askTicket = async (body: { query: string; params: object; format: string }): Promise<string> =>
  (await requestJson<{ url: string }>(`${root}/downloads`, { method: 'POST', body })).url
