import { useQueries } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { CurrentGpu, currentAnswer } from '../../contract/current.ts'
import { askJson } from '../api/client.ts'
import { live } from '../api/freshness.ts'
import { filtersOfClass, marketPath, thisMinute } from '../api/history.ts'
import { key } from '../session.ts'
import type { FleetRow } from './fleet.ts'

/** What machines of exactly its class cost now; null: there are too few of them; undefined: on its way. */
export type BandOf = (row: FleetRow) => CurrentGpu | null | undefined

/** The market of the class of each row. */
export function useBands(rows: readonly FleetRow[]): BandOf {
  const filters = rows.map(filtersOfClass)
  const keys = [...new Set(filters.map((filter) => JSON.stringify(filter)))]
  const answers = useQueries({
    queries: keys.map((text) => ({
      queryKey: ['current', key.value, JSON.parse(text)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        askJson<z.infer<typeof currentAnswer>>(marketPath('current', JSON.parse(text), thisMinute()), {
          signal,
        }),
      refetchInterval: () => (live.value ? false : 60_000),
    })),
  })
  return (row) => {
    const data = answers[keys.indexOf(JSON.stringify(filtersOfClass(row)))]?.data
    return data && (data.gpus.find(({ gpu_name }) => gpu_name === row.gpu_name) ?? null)
  }
}
