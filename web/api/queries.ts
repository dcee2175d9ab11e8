import { keepPreviousData, queryOptions, useQuery } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import type { z } from 'zod'
import type { currentUser } from '../../contract/current-user.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { type Filters, withoutTier } from '../../contract/market-filter.ts'
import type { namesAnswer } from '../../contract/names.ts'
import { key } from '../session.ts'
import { source } from '../source.ts'
import { jsonOf, request, requestJson } from './client.ts'
import { live, usualInterval } from './freshness.ts'
import {
  factsOf,
  type History,
  type HistoryAnswer,
  type HistoryQuestion,
  type MarketQuestion,
  marketPath,
  thisMinute,
} from './history.ts'

export type User = z.infer<typeof currentUser>
export type OwnMachine = z.infer<typeof machinesAnswer>['machines'][number]

export interface QueryState {
  error: Error | null
  failureReason: Error | null
}

/** The reason why a query has no fresh answer. It is reported at the first attempt, while further attempts follow. */
export const troubleOf = ({ error, failureReason }: QueryState): Error | null => error ?? failureReason

export const userQuery = () =>
  queryOptions({
    queryKey: ['user', key.value],
    queryFn: ({ signal }) => requestJson<User>('api/v0/users/current', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The account that the visitor's key acts for. A host sees the market while one of its machines is online, which may change. */
export const useUser = () =>
  useQuery({
    ...userQuery(),
    enabled: key.value !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.is_host && !data.is_admin ? (seesMarket(data) ? 300_000 : 60_000) : false,
  })

/** True if the account may open pages other than the reference. */
export const mayOpen = (user: User): boolean => user.is_admin || user.is_host

/** True if the visitor may see the chosen market. */
export const seesMarket = (user: User): boolean =>
  user.is_admin ||
  user.has_active_machine ||
  (source === undefined ? user.claims_first_source : user.claimed_sources.includes(source))

/** The GPU types in the history. */
export const namesQuery = () =>
  queryOptions({
    queryKey: ['names', key.value],
    queryFn: async ({ signal }) =>
      (await requestJson<z.infer<typeof namesAnswer>>('api/v0/metrics/gpu/names', { signal })).names,
    staleTime: 300_000,
  })
export const useNames = () => useQuery(namesQuery())

export const historyQuery = (question: HistoryQuestion) =>
  queryOptions({
    queryKey: ['history', key.value, question],
    queryFn: ({ signal }) => askHistory(question, signal),
    refetchInterval: question.end || live.value ? false : ({ state }) => state.data?.freshFor ?? 60_000,
  })

/** The answer to a query. The last answer stays while it is refreshed, while another query runs, and when that fails. */
export function useHistory(question: HistoryQuestion, enabled = true) {
  const query = useQuery({ ...historyQuery(question), enabled })
  const last = useRef<History>()
  last.current = query.data ?? last.current
  const { error, failureReason, isFetching, refetch } = query
  const data = last.current
  // An answer to an earlier query must not be shown as the answer to this one.
  const isStale = data !== undefined && JSON.stringify(data.question) !== JSON.stringify(question)
  return { data, error, failureReason, isFetching, isStale, refetch }
}

async function askHistory(question: HistoryQuestion, signal: AbortSignal): Promise<History> {
  const now = thisMinute()
  const response = await request(marketPath('history', { ...question }, now), { signal })
  const answer = await jsonOf<HistoryAnswer>(response)
  return {
    ...answer,
    question,
    start: question.start < 0 ? now + question.start : question.start,
    end: question.end ?? now,
    ...factsOf(response.headers),
  }
}

const mostMachines = 1000

/** The visitor's own machines and their positions among the machines that pass the filters. */
export const useMachines = (filters: Filters, enabled: boolean) =>
  useQuery({
    queryKey: ['machines', key.value, filters],
    queryFn: async ({ signal }) => {
      const machines: OwnMachine[] = []
      for (let after: Record<string, string> = {}; machines.length < mostMachines; ) {
        const query = new URLSearchParams({ ...withoutTier(filters), ...after })
        const page = await requestJson<z.infer<typeof machinesAnswer>>(`api/v0/metrics/machines?${query}`, {
          signal,
        })
        machines.push(...page.machines)
        if (page.next === null) break
        after = { after: `${page.next}` }
      }
      return machines
    },
    placeholderData: keepPreviousData,
    refetchInterval: usualInterval(),
    enabled,
  })

/** A query to an endpoint of the market. */
export const marketQuery = <Answer>(endpoint: string, question: MarketQuestion) =>
  queryOptions({
    queryKey: [endpoint, key.value, question],
    queryFn: ({ signal }) => requestJson<Answer>(marketPath(endpoint, question, thisMinute()), { signal }),
    refetchInterval: question.end ? false : usualInterval(),
  })

/** As `marketQuery`, but the last answer stays while another query runs. */
export const useMarket = <Answer>(endpoint: string, question: MarketQuestion, enabled = true) =>
  useQuery({ ...marketQuery<Answer>(endpoint, question), placeholderData: keepPreviousData, enabled })
