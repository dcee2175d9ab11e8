import { queryOptions, useQuery, useQueryClient } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { CostField } from '../../contract/cost-fields.ts'
import type { costsAnswer } from '../../contract/costs.ts'
import { requestJson } from '../api/client.ts'
import { key } from '../session.ts'

const root = 'api/v0/metrics/costs'

export const costsQuery = () =>
  queryOptions({
    queryKey: ['costs', key.value],
    queryFn: ({ signal }) => requestJson<z.infer<typeof costsAnswer>>(root, { signal }),
  })

/** The costs that the account has entered. */
export const useCosts = (enabled = true) => useQuery({ ...costsQuery(), enabled })

/** The typed values. The service refuses a text that is no number. */
export type TypedCosts = Partial<Record<CostField, number | string | null>> & { confirm_unusual?: boolean }

/** The actions on costs. `machine` 0: costs of all machines. */
export function useCostActions() {
  const queryClient = useQueryClient()
  const act = async (machine: number, asking: Parameters<typeof requestJson>[1]): Promise<void> => {
    await requestJson(machine === 0 ? root : `${root}/machines/${machine}`, asking)
    await Promise.all(
      ['costs', 'machines'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
    )
  }
  return {
    write: (machine: number, body: TypedCosts) => act(machine, { method: 'PUT', body }),
    forget: (machine: number) => act(machine, { method: 'DELETE' }),
  }
}
