import { hour } from '../contract/durations.ts'
import { changesSince, type HeldPrice, knownPrices, writeChanges } from '../ingest/list-prices.ts'
import type { Clock } from '../platform/clock.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import { catalogUrl, gpuhuntFolder, gpuhuntProviders, type ReadCatalog, readGpuhunt } from './gpuhunt.ts'
import type { HttpRequest, Validators } from './source.ts'
import { printable, SourceError } from './source-error.ts'
import { withinSeconds } from './time-limit.ts'

/** A catalog of list prices that is read every hour. */
export interface Catalog {
  name: string
  providers: readonly string[]
  /** The address that the prices of a provider are read from. */
  placeOf(provider: string): string
  /** Returns undefined if the prices have not changed. Throws SourceError. */
  read(provider: string, request: HttpRequest): Promise<ReadCatalog | undefined>
}

/** Opens the catalog that `gpuhunt[=URL]` names. Throws UsageError. */
export function openCatalog(text: string, contact: string | undefined): Catalog {
  const [, folder = gpuhuntFolder] = /^\s*gpuhunt(?:=(.*))?$/s.exec(text) ?? [undefined, '']
  if (!URL.canParse(folder) || !/^https?:$/.test(new URL(folder).protocol))
    throw new UsageError(
      `The catalog must be gpuhunt, or gpuhunt=URL of the folder that holds v3/, but it is: ${text.slice(0, 100)}`,
    )
  const userAgent = contact ? `rackrate (+${contact})` : 'rackrate'
  return {
    name: 'gpuhunt',
    providers: gpuhuntProviders,
    placeOf: (provider) => catalogUrl(folder, provider).href,
    read: (provider, request) => readGpuhunt(provider, { folder, userAgent }, request),
  }
}

interface ReadingState {
  offers: number
  failures: number
  /** `held`: prices that jumped, by their offers. */
  validators: (Validators & { changed: number; held?: [string, HeldPrice][] }) | null
}

const longestRequest = 60
/**
 * A list with less than this share of the previous offers counts as a failure. It is accepted after about a day of such failures
 * in a row.
 */
const leastShare = 1 / 2
const patience = 24

/** By provider: the number of changes, or the reason why it could not be read. */
export type CatalogReading = Record<string, number | string>

/** Reads every provider of the catalog that is due. A failure is recorded and does not stop the others. */
export async function readCatalog(
  stores: Stores & { clock: Clock },
  catalog: Catalog,
  stop: AbortSignal,
): Promise<CatalogReading> {
  const reading: CatalogReading = {}
  for (const provider of catalog.providers) {
    if (stop.aborted) break
    const changes = await readProvider(stores, { catalog, provider, stop })
    if (changes !== undefined) reading[provider] = changes
  }
  return reading
}

interface Provider {
  catalog: Catalog
  provider: string
  stop: AbortSignal
}

async function readProvider(
  stores: Stores & { clock: Clock },
  { catalog, provider, stop }: Provider,
): Promise<number | string | undefined> {
  const { postgres, clickhouse, clock } = stores
  const place = catalog.placeOf(provider)
  const { rows } = await postgres.query<ReadingState>('catalogs/ask', [
    catalog.name,
    provider,
    place,
    longestRequest,
  ])
  const [state] = rows
  if (!state) return undefined
  const readOffers = async (signal: AbortSignal) => {
    const { changed } = await knownPrices(clickhouse, catalog.name, provider)
    // After a restore ClickHouse may lack the offers that the validators belong to.
    const isSame = state.validators?.changed === changed
    const held = state.validators?.held ?? []
    // After a price was held for a day, the catalog is read again even if it has not changed.
    const isOver = held.some(([, { since }]) => since < clock.now() - 24 * hour)
    const validators = isSame && !isOver ? (state.validators ?? undefined) : undefined
    const read = await catalog.read(provider, { clock, validators, signal })
    if (read)
      return await take(stores, { name: catalog.name, provider, place, held }, refusePart(read, state))
    const repeat = 'catalogs/repeat'
    await postgres.query(repeat, [catalog.name, provider, Math.floor(clock.now()), hour])
    return 0
  }
  try {
    return await withinSeconds(longestRequest, stop, readOffers)
  } catch (problem) {
    if (stop.aborted || !(problem instanceof SourceError)) throw problem
    const message = printable(problem.message)
    const fail = 'catalogs/fail'
    await postgres.query(fail, [catalog.name, provider, message, problem.retryAt ?? 0])
    return message
  }
}

function refusePart(read: ReadCatalog, { offers: before, failures }: ReadingState): ReadCatalog {
  const { length } = read.offers
  if (length < before * leastShare && failures < patience)
    throw new SourceError(
      `It lists ${length} offers; before, it listed ${before}. A list of less than half is accepted once it has stayed so for a day.`,
    )
  return read
}

interface Taking {
  name: string
  provider: string
  place: string
  held: readonly [string, HeldPrice][]
}

async function take(
  { postgres, clickhouse, clock }: Stores & { clock: Clock },
  { name, provider, place, held }: Taking,
  { offers, leftOut, leftOutRows, validators }: ReadCatalog,
): Promise<number> {
  return withAdvisoryLock(postgres, locks.prices, async () => {
    const known = await knownPrices(clickhouse, name, provider)
    // A row of the same offer and second would replace the existing one.
    const time = Math.max(Math.floor(clock.now()), known.changed + 1)
    for (const [key, one] of held) known.held.set(key, one)
    const changes = changesSince(known, offers, time)
    const jumps =
      known.held.size > 0 ? { 'a price that jumped, until it is seen again': known.held.size } : {}
    await writeChanges(clickhouse, changes)
    await postgres.query('catalogs/take', [
      name,
      provider,
      place,
      time,
      offers.length,
      JSON.stringify({ ...leftOut, ...jumps }),
      JSON.stringify({ ...validators, changed: known.changed, held: [...known.held] }),
      hour,
      JSON.stringify(leftOutRows),
    ])
    return changes.length
  })
}
