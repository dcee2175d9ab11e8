import { useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { askMachines, type MachinesAnswer, refetchInterval } from '../api/machines.ts'
import { key } from '../session.ts'

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
