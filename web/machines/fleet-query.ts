import { infiniteQueryOptions } from '@tanstack/preact-query'
import { usualInterval } from '../api/freshness.ts'
import { askMachines, type MachinesAnswer } from '../api/machines.ts'
import { key } from '../session.ts'

/** All own machines with their figures, read page by page. */
export const fleetQuery = () =>
  infiniteQueryOptions({
    queryKey: ['machines', key.value, 'fleet'],
    queryFn: ({ pageParam, signal }) =>
      askMachines({ figures: 'brief', ...(pageParam !== 0 && { after: `${pageParam}` }) }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }: MachinesAnswer) => next,
    refetchInterval: usualInterval(),
  })
