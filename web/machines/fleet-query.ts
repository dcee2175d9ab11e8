import { infiniteQueryOptions } from '@tanstack/preact-query'
import { askMachines, type MachinesAnswer, refetchInterval } from '../api/machines.ts'
import { key } from '../session.ts'

/** All own machines with their figures, which come page by page. */
export const fleetQuery = () =>
  infiniteQueryOptions({
    queryKey: ['machines', key.value, 'fleet'],
    queryFn: ({ pageParam, signal }) => askMachines(pageParam === 0 ? {} : { after: `${pageParam}` }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }: MachinesAnswer) => next,
    refetchInterval,
  })
