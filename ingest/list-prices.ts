import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { canonicalName } from './listed-gpu.ts'

/** An offer of a cloud, as a row of `list_prices` without its time. */
export interface ListPrice {
  region: string
  instance_name: string
  listed_name: string
  /** Empty: unknown. */
  gpu_name: string
  gpu_memory: number
  gpus: number
  spot: boolean
  /** USD per GPU-hour; null: no longer offered. */
  price: number | null
}

/** An offer as a catalog lists it. */
export interface CatalogOffer extends Pick<ListPrice, 'region' | 'instance_name' | 'listed_name' | 'spot'> {
  /** GB per GPU; undefined: not listed. */
  memory: number | undefined
  gpus: number
  /** USD per hour for the whole instance. */
  usd: number
}

/** The newest prices of a provider of a catalog. */
export interface KnownPrices {
  catalog: string
  provider: string
  byOffer: Map<string, ListPrice>
  /** Unix seconds of the latest price change; 0: there are no prices. */
  changed: number
  /** Prices that jumped, and were seen once. */
  held: Map<string, HeldPrice>
}

export interface HeldPrice {
  price: number
  /** The time when it was first seen, unix seconds. */
  since: number
}

/** USD per GPU-hour above which a price is taken as a mistake of the catalog. The dearest GPUs cost about 100. */
const highest = 1000

export const isPlausible = ({ usd, gpus }: Pick<CatalogOffer, 'usd' | 'gpus'>): boolean =>
  usd > 0 && usd / gpus <= highest

/** A price change by this factor may be a wrong decimal point or unit. */
const jump = 20

const isJump = (before: number, after: number): boolean => Math.max(before / after, after / before) >= jump

const rounded = (price: number) => Math.round(price * 1e6) / 1e6

export function listPrice(provider: string, offer: CatalogOffer): ListPrice {
  const { region, instance_name, listed_name, memory, gpus, spot, usd } = offer
  const gpu_name = canonicalName({ provider, name: listed_name, memory, instance: instance_name }) ?? ''
  const gpu_memory = Math.round(memory ?? 0)
  return { region, instance_name, listed_name, gpu_name, gpu_memory, gpus, spot, price: rounded(usd / gpus) }
}

const keyOf = (one: ListPrice) =>
  `${one.region}\t${one.instance_name}\t${one.listed_name}\t${one.gpu_name}\t${one.gpu_memory}\t${one.gpus}\t${one.spot}`

export async function knownPrices(
  clickhouse: ClickHouse,
  catalog: string,
  provider: string,
): Promise<KnownPrices> {
  const query = 'list_prices/newest'
  const rows = await selectRows<ListPrice & { changed: number }>(clickhouse, query, { catalog, provider })
  const byOffer = new Map(rows.map(({ changed: _, ...row }) => [keyOf(row), row]))
  return {
    catalog,
    provider,
    byOffer,
    held: new Map(),
    changed: rows.reduce((max, row) => Math.max(max, row.changed), 0),
  }
}

/** A row of `list_prices`. */
export type ListPriceChange = ListPrice & { time: number; catalog: string; provider: string }

/**
 * The changes that the offers of a catalog make at a time: rows for changed prices, and for ended offers. If an offer has several
 * prices, as in the zones of a region, the lowest counts. A price that jumps is held until
 * two readings show it. Updates `known`.
 */
export function changesSince(
  known: KnownPrices,
  offers: readonly CatalogOffer[],
  time: number,
): ListPriceChange[] {
  const { catalog, provider, byOffer } = known
  const now = new Map<string, ListPrice>()
  for (const offer of offers) {
    const one = listPrice(provider, offer)
    const key = keyOf(one)
    const other = now.get(key)
    if (!other || (one.price ?? 0) < (other.price ?? 0)) now.set(key, one)
  }
  holdJumps(known, now, time)
  const ended = [...byOffer].filter(([key, { price }]) => price !== null && !now.has(key))
  const changed = [
    ...[...now].filter(([key, { price }]) => byOffer.get(key)?.price !== price),
    ...ended.map(([key, one]) => [key, { ...one, price: null }] as const),
  ]
  for (const [key, one] of changed) byOffer.set(key, one)
  if (changed.length > 0) known.changed = time
  return changed.map(([, one]) => ({ time, catalog, provider, ...one }))
}

/** Keeps the known price of an offer whose price jumped in this reading for the first time. */
function holdJumps({ byOffer, held }: KnownPrices, now: Map<string, ListPrice>, time: number): void {
  const before = new Map(held)
  held.clear()
  for (const [key, one] of now) {
    const known = byOffer.get(key)?.price
    const { price } = one
    if (known === undefined || known === null || price === null || !isJump(known, price)) continue
    const first = before.get(key)
    if (first?.price === price) continue
    held.set(key, { price, since: time })
    now.set(key, { ...one, price: known })
  }
}

/** Writes changes as one block: either all of them or none. */
export async function writeChanges(
  clickhouse: ClickHouse,
  values: readonly ListPriceChange[],
): Promise<void> {
  if (values.length > 0) await clickhouse.insert({ table: 'list_prices', values, format: 'JSONEachRow' })
}
