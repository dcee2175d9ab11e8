import { listSources } from '../collect/sources.ts'
import { codeOf, toError } from '../contract/failure.ts'
import { databaseOf } from '../contract/sources.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Config } from './config.ts'
import { type MarketStores, type OpenMarketOptions, openMarketStores, type SiteStores } from './stores.ts'

/** A market beside the first one of the site, with its own databases. */
export interface SourceMarket extends MarketStores {
  /** The name of its source. */
  name: string
  isCollected: boolean
}

/** Opens the databases of a source that is not the first. Missing ones are created. */
export async function openMarket(
  config: Config,
  { postgres, queues, clickhouseAddress: first }: MarketStores,
  name: string,
  options: OpenMarketOptions = {},
): Promise<MarketStores> {
  const url = new URL(queues.databaseUrl)
  const database = databaseOf(decodeURIComponent(url.pathname.slice(1)), name)
  await createDatabase(postgres, database)
  url.pathname = `/${encodeURIComponent(database)}`
  const clickhouseAddress = { ...first, database: databaseOf(first.database, name) }
  return openMarketStores(config, { databaseUrl: url.href, clickhouseAddress }, options)
}

/** Opens the databases of every source except the first; `collected` selects sources that are, or are not, collected. */
export async function openMarkets(
  config: Config,
  site: SiteStores,
  { isCollected: only, ...options }: OpenMarketOptions & { isCollected?: boolean } = {},
): Promise<SourceMarket[]> {
  const markets: SourceMarket[] = []
  try {
    for (const { name, is_first, is_collected: isCollected } of await listSources(site.postgres))
      if (!is_first && isCollected === (only ?? isCollected))
        markets.push({ ...(await openMarket(config, site, name, options)), name, isCollected })
    return markets
  } catch (error) {
    await closeMarkets(markets)
    throw error
  }
}

export async function closeMarkets(markets: readonly MarketStores[]): Promise<void> {
  for (const market of markets) await market.close()
}

/**
 * Runs `work` on the databases of one market: the source's, otherwise the first. `prepare` runs before databases are opened here; the first
 * market's are open already. Throws UsageError for an unknown name.
 */
export async function inMarket<T>(
  { config, stores: site }: { config: Config; stores: SiteStores },
  name: string | undefined,
  work: (stores: MarketStores) => Promise<T>,
  prepare?: OpenMarketOptions['prepare'],
): Promise<T> {
  if (name === undefined) return work(site)
  const sources = await listSources(site.postgres)
  const source = sources.find((one) => one.name === name)
  if (!source)
    throw new UsageError(
      `This site has no source ${name.slice(0, 100)}. ${sources.length > 0 ? `Its sources: ${sources.map((one) => one.name).join(', ')}` : 'Its market is its own'}.`,
    )
  if (source.is_first) return work(site)
  const market = await openMarket(config, site, name, prepare && { prepare })
  try {
    return await work(market)
  } finally {
    await market.close()
  }
}

// PostgreSQL would cut a longer name.
const longestName = 63
const isThere = new Set(['42P04', '23505'])

async function createDatabase(postgres: Postgres, name: string): Promise<void> {
  if (Buffer.byteLength(name) > longestName)
    throw new UsageError(
      `The name of the database ${name} would be too long. Give the source a shorter name.`,
    )
  const { rowCount } = await postgres.query('SELECT FROM pg_database WHERE datname = $1', [name])
  if (rowCount) return
  try {
    await postgres.query(`CREATE DATABASE "${name.replaceAll('"', '""')}"`)
  } catch (error) {
    const [code = '', { message }] = [codeOf(error), toError(error)]
    // Another process created it first.
    if (isThere.has(code)) return
    throw new Error(
      `Each source but the first has a database of its own in PostgreSQL, and ${name} could not be made: ${message}. Make it with CREATE DATABASE for the account of DATABASE_URL.`,
      { cause: error },
    )
  }
}
