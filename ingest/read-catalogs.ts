import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import type { Stores } from '../platform/stores/stores.ts'

/** How the newest reading of a provider of a catalog went. */
export interface CatalogState {
  catalog: string
  provider: string
  place: string
  /** The time that its prices are of, unix seconds; null: it was never read. */
  read_at: number | null
  offers: number
  left_out: Record<string, number>
  failures: number
  problem: string | null
}

export async function catalogStates(postgres: Session): Promise<CatalogState[]> {
  return (await postgres.query<CatalogState>('catalogs/list')).rows
}

/** A price that was last seen longer ago is of the past, seconds. */
const currentFor = 2 * 86_400

export const isCurrent = ({ read_at }: Pick<CatalogState, 'read_at'>, now: number): boolean =>
  read_at !== null && read_at > now - currentFor

/** Offers of GPUs whose name does not say which type they are. */
export interface Unmapped {
  catalog: string
  provider: string
  listed_name: string
  /** GB per GPU; 0: not told. */
  gpu_memory: number
  offers: number
  /** USD per GPU-hour. */
  cheapest: number
}

export const unmappedNames = (clickhouse: ClickHouse): Promise<Unmapped[]> =>
  selectRows<Unmapped>(clickhouse, 'list_prices/unmapped')

/** What an operator should know of the catalogs. */
export async function checkCatalogs({ postgres, clickhouse }: Stores) {
  const failing = (await catalogStates(postgres)).filter(({ problem }) => problem !== null)
  return { failing, unmapped: await unmappedNames(clickhouse) }
}
