import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { z } from 'zod'
import type { machinesAnswer } from '../../contract/machines.ts'
import { key } from '../session.ts'
import { askJson } from './client.ts'
import { live } from './freshness.ts'

type MachinesAnswer = z.infer<typeof machinesAnswer>

// Prices are compared with those of all machines of the GPU name.
const askMachines = (query: Record<string, string>, signal: AbortSignal) =>
  askJson<MachinesAnswer>(`api/v0/metrics/machines?${new URLSearchParams({ verified: 'all', ...query })}`, {
    signal,
  })
const refetchInterval = () => (live.value ? false : 60_000)

/** The first thousand own machines without their figures, to choose one of them. */
export const useMachineList = () =>
  useQuery({
    queryKey: ['machines', key.value, 'list'],
    queryFn: ({ signal }) => askMachines({ limit: '1000', figures: 'no' }, signal),
    refetchInterval,
  })

/** One own machine with its figures; `machines` is empty when it is not the visitor's. */
export const useMachine = (id: number) =>
  useQuery({
    queryKey: ['machines', key.value, id],
    queryFn: ({ signal }) => askMachines({ id: `${id}` }, signal),
    refetchInterval,
    enabled: id > 0,
  })

/** All own machines with their figures, which come page by page. */
export function useFleet() {
  const query = useInfiniteQuery({
    queryKey: ['machines', key.value, 'fleet'],
    queryFn: ({ pageParam, signal }) => askMachines(pageParam === 0 ? {} : { after: `${pageParam}` }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }: MachinesAnswer) => next,
    refetchInterval,
  })
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return query
}
