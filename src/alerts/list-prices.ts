import { cloudMemoryOf, cloudNameOf } from '../../contract/gpu-types.ts'
import { catalogStates, isCurrent } from '../../ingest/read-catalogs.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import type { Range } from './slot-figures.ts'

/** The lowest list price of a GPU name at a slot, of one size of memory or of all (0); null: no catalog has one, or none was read for two days. */
export type ListPriceAt = (slot: number, name: string, gpu_memory: number) => number | null

type Row = {
  gpu_name: string
  catalog: string
  provider: string
  spot: boolean
  gpu_memory: number
  point: number
  price: number
}

/** The on-demand list prices of clouds at some slots, as the site's catalogs had them then. */
export async function readListPrices(
  { postgres, clickhouse }: Stores,
  names: readonly string[],
  { from, to, interval }: Range & { interval: number },
): Promise<ListPriceAt> {
  if (names.length === 0) return () => null
  const asked = { names: [...new Set(names.map(cloudNameOf))], from: from - interval, to, step: interval }
  const query = 'list_prices/history'
  const [rows, states] = await Promise.all([
    selectRows<Row>(clickhouse, query, asked),
    catalogStates(postgres),
  ])
  const stateOf = new Map(states.map((state) => [`${state.catalog} ${state.provider}`, state]))
  const lowest = new Map<string, number>()
  for (const { gpu_name, catalog, provider, spot, gpu_memory, point, price } of rows) {
    // A row of a bucket holds the values at its end.
    const slot = point + interval
    const state = stateOf.get(`${catalog} ${provider}`)
    if (spot || !state || !isCurrent(state, slot)) continue
    for (const size of new Set([0, cloudMemoryOf(gpu_name, gpu_memory)])) {
      const key = `${slot} ${size} ${gpu_name}`
      lowest.set(key, Math.min(price, lowest.get(key) ?? price))
    }
  }
  return (slot, name, gpu_memory) => lowest.get(`${slot} ${gpu_memory} ${cloudNameOf(name)}`) ?? null
}
