import { useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
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
