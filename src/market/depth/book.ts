import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesState } from '../market-query/series.ts'

/** GPUs of a GPU name that are available, or rented, at a price. */
export interface Level {
  gpu_name: string
  /** GB per GPU; 0: unknown, or sizes are not distinguished. */
  gpu_memory: number
  rented: boolean
  /** In billionths of a dollar; null: the price of rented GPUs is not shown. */
  price: number | null
  gpus: number
}

export interface BookFilter extends MarketFilter {
  names: readonly string[]
  /** True if each level has one size of memory. */
  by_memory: boolean
}

/** The book of one slot, by name and price. Machines with fewer available GPUs than `per_machine` offer none. */
export const bookAt = (
  clickhouse: ClickHouse,
  filter: BookFilter,
  {
    slot,
    state,
    per_machine = 1,
  }: { slot: number; state: Pick<SeriesState, 'is_own'>; per_machine?: number },
): Promise<Level[]> =>
  selectRows<Level>(clickhouse, 'depth/book', {
    ...filter,
    own: Number(state.is_own),
    per_machine,
    slot,
  })
