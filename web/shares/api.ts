import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { z } from 'zod'
import { day } from '../../contract/durations.ts'
import { filtersFrom } from '../../contract/market-filter.ts'
import type { Share, SharedChart, sharedAnswer } from '../../contract/shares.ts'
import { ApiFailure, base, failureOf, jsonOf, requestJson } from '../api/client.ts'
import { factsOf, type History, thisMinute } from '../api/history.ts'
import { key } from '../session.ts'

const root = 'api/v0/shares'

/** The links of the visitor's account. */
export const useShares = () =>
  useQuery({
    queryKey: ['shares', key.value],
    queryFn: async ({ signal }) => (await requestJson<{ shares: Share[] }>(root, { signal })).shares,
  })

/** The actions on links. Each refreshes the list. */
export function useSharing() {
  const queryClient = useQueryClient()
  const afterwards = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const answer = await work
    queryClient.invalidateQueries({ queryKey: ['shares'] }) // the action is complete before the list is read again
    return answer
  }
  return {
    /** The address of a new link. */
    share: (body: SharedChart) =>
      afterwards(requestJson<{ url: string }>(root, { method: 'POST', body })).then(
        ({ url }) => new URL(url.replace(/^\//, ''), base).href,
      ),
    revoke: (id: number) => afterwards(requestJson<unknown>(`${root}/${id}`, { method: 'DELETE' })),
  }
}

/** A shared chart with its figures. It is requested without a key. */
export const useShared = (token: string) =>
  useQuery({
    queryKey: ['shared', token],
    queryFn: async ({ signal }): Promise<{ chart: SharedChart; history: History }> => {
      const address = new URL(`api/v0/shared/${encodeURIComponent(token)}`, base)
      // A cached answer is revalidated, so that a revoked link ends at once.
      const response = await fetch(address, { signal, cache: 'no-cache' }).catch(() => undefined)
      if (!response) throw new ApiFailure(0, 'unreachable', 'The service cannot be reached')
      if (!response.ok) throw await failureOf(response)
      const { chart, gpus } = await jsonOf<z.infer<typeof sharedAnswer>>(response)
      return { chart, history: historyOf(chart, gpus, response.headers) }
    },
    refetchInterval: ({ state }) => state.data?.history.freshFor ?? 60_000,
  })

function historyOf({ query, last }: SharedChart, gpus: History['gpus'], headers: Headers): History {
  const given = new URLSearchParams(query)
  const end = Number(given.get('end') ?? thisMinute())
  const start = last === null ? Number(given.get('start') ?? end - day) : end - last
  return {
    success: true,
    needs_machine: false,
    gpus,
    question: {
      gpu_name: Object.keys(gpus).join(),
      ...filtersFrom(given),
      start,
      end,
    },
    start,
    end,
    ...factsOf(headers),
  }
}
