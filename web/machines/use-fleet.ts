import { useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect, useMemo } from 'preact/hooks'
import { fleetQuery } from './fleet-query.ts'

/** All own machines. The next page is requested as soon as one has arrived. */
export function useFleet() {
  const query = useInfiniteQuery(fleetQuery())
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return query
}

/** The machines of a fleet that are read so far. */
export const useMachinesOf = ({ data }: Pick<ReturnType<typeof useFleet>, 'data'>) =>
  useMemo(() => data?.pages.flatMap(({ machines }) => machines) ?? [], [data])
