import { day } from '../contract/durations.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import type { Stores } from '../platform/stores/stores.ts'

/** The result of the newest reading of a catalog's provider. */
export interface CatalogState {
  catalog: string
  provider: string
  place: string
  /** Unix seconds of its prices; null: never read. */
  read_at: number | null
  offers: number
  left_out: Record<string, number>
  left_out_rows: { line: number; reason: string }[]
  failures: number
  problem: string | null
}

export async function catalogStates(postgres: Session): Promise<CatalogState[]> {
  return (await postgres.query<CatalogState>('catalogs/list')).rows
}

/** Seconds after which a price that is no longer listed stops being current. */
const currentFor = 2 * day

export const isCurrent = ({ read_at }: Pick<CatalogState, 'read_at'>, now: number): boolean =>
  read_at !== null && read_at > now - currentFor

/** Offers of GPUs whose name does not identify their type. */
export interface Unmapped {
  catalog: string
  provider: string
  listed_name: string
  /** GB per GPU; 0: not listed. */
  gpu_memory: number
  offers: number
  /** The lowest price, USD per GPU-hour. */
  cheapest: number
}

export const unmappedNames = (clickhouse: ClickHouse): Promise<Unmapped[]> =>
  selectRows<Unmapped>(clickhouse, 'list_prices/unmapped')

/** Reports the state of the catalogs to an operator. */
export async function checkCatalogs({ postgres, clickhouse }: Stores) {
  const failing = (await catalogStates(postgres)).filter(({ problem }) => problem !== null)
  return { failing, unmapped: await unmappedNames(clickhouse) }
}
