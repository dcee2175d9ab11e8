import { queryOptions, useQuery } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { FleetAdviceAnswer } from '../../contract/fleet-advice.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import type { OwnIncomeAnswer } from '../../contract/own-income.ts'
import { key } from '../session.ts'
import { requestJson } from './client.ts'
import { usualInterval } from './freshness.ts'

export type MachinesAnswer = z.infer<typeof machinesAnswer>

// Prices are compared with the prices of all machines of the GPU name, regardless of the filters of the page.
export const askMachines = (query: Record<string, string>, signal: AbortSignal) =>
  requestJson<MachinesAnswer>(
    `api/v0/metrics/machines?${new URLSearchParams({ verified: 'all', ...query })}`,
    {
      signal,
    },
  )
/** The answer with the machines of all pages. */
async function askAll(query: Record<string, string>, signal: AbortSignal): Promise<MachinesAnswer> {
  const answer = await askMachines(query, signal)
  while (answer.next !== null) {
    const { machines, next } = await askMachines({ ...query, after: `${answer.next}` }, signal)
    answer.machines.push(...machines)
    answer.next = next
  }
  return answer
}

/** All own machines without their figures, to choose one of them. */
export const machineListQuery = () =>
  queryOptions({
    queryKey: ['machines', key.value, 'list'],
    queryFn: ({ signal }) => askAll({ limit: '1000', figures: 'no' }, signal),
    refetchInterval: usualInterval(),
  })
/** An own machine as an option of a field. */
export const machineOption = ({ id, num_gpus, gpu_name }: MachinesAnswer['machines'][number]) =>
  [`${id}`, `${num_gpus}× ${gpu_name}, ${id}`] as const

export const useMachineList = () => useQuery(machineListQuery())

/** The first page of own machines with their figures, to open the one with the most to gain. */
export const firstMachinesQuery = () =>
  queryOptions({
    queryKey: ['machines', key.value, 'first'],
    queryFn: ({ signal }) => askMachines({}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The advice on all own machines together. `isAsked`: there are own machines, and they have been read. */
export const useFleetAdvice = (isAsked: boolean) =>
  useQuery({
    queryKey: ['machines', key.value, 'advice'],
    queryFn: ({ signal }) => requestJson<FleetAdviceAnswer>('api/v0/metrics/machines/advice', { signal }),
    // The first answer on thousands of machines has a part of them.
    refetchInterval: ({ state }) => (state.data?.pending ? 5000 : usualInterval()),
    enabled: isAsked,
  })

/** The income of all own machines together on each of the last days. */
export const ownIncomeQuery = (days: number) =>
  queryOptions({
    queryKey: ['machines', key.value, 'income', days],
    queryFn: ({ signal }) =>
      requestJson<OwnIncomeAnswer>(`api/v0/metrics/machines/income?days=${days}`, { signal }),
    refetchInterval: usualInterval(),
  })

/** One own machine with its figures; `machines` is empty when it is not the visitor's. */
export const machineQuery = (id: number) =>
  queryOptions({
    queryKey: ['machines', key.value, id],
    queryFn: ({ signal }) => askMachines({ id: `${id}` }, signal),
    refetchInterval: usualInterval(),
  })
export const useMachine = (id: number) => useQuery({ ...machineQuery(id), enabled: id > 0 })
