import { useQueries } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { CurrentGpu, currentAnswer } from '../../contract/current.ts'
import { filtersOfClass } from '../../contract/market-filter.ts'
import { marketQuery } from '../api/queries.ts'
import type { FleetRow } from './fleet.ts'

/** The present prices of machines of exactly the row's class; null: too few machines; undefined: being read. */
export type BandOf = (row: FleetRow) => CurrentGpu | null | undefined

/** The present market of each row's class. */
export function useBands(rows: readonly FleetRow[]): BandOf {
  const filters = rows.map(filtersOfClass)
  const keys = [...new Set(filters.map((filter) => JSON.stringify(filter)))]
  const answers = useQueries({
    queries: keys.map((text) => marketQuery<z.infer<typeof currentAnswer>>('current', JSON.parse(text))),
  })
  return (row) => {
    const data = answers[keys.indexOf(JSON.stringify(filtersOfClass(row)))]?.data
    return data && (data.gpus.find(({ gpu_name }) => gpu_name === row.gpu_name) ?? null)
  }
}
