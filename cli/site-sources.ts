import { type Catalog, openCatalog } from '../collect/catalog.ts'
import { isAnonymous, openSource } from '../collect/open-source.ts'
import { keepToSource } from '../collect/site-source.ts'
import type { Source } from '../collect/source.ts'
import { readSources, registerSources } from '../collect/sources.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Config } from './config.ts'
import { closeMarkets, openMarket, openMarkets, type SourceMarket } from './markets.ts'
import type { CatalogOptions, SourceFlags } from './source-options.ts'
import type { SiteStores } from './stores.ts'

/** A source and its name at this site. */
export interface ConfiguredSource {
  name: string
  source: Source
}

/** The sources of the options, otherwise of SOURCES; none: the site records its own marketplace. Throws UsageError. */
export function configuredSources(config: Config, options: SourceFlags = {}): ConfiguredSource[] {
  const { map = config.sourceMap, callsPerMinute = config.sourceCallsPerMinute } = options
  const contact = config.sourceContact
  const written = readSources(options.source ?? config.sources)
  const isMapped = (text: string) => /^\s*(file|command)=/.test(text)
  // One mapping applies to all lists. Without lists it is refused.
  const mapFor = (text: string) =>
    isMapped(text) || !written.some((one) => isMapped(one.text)) ? map : undefined
  if (written.some(({ text }) => isAnonymous(text, { contact })))
    console.error('rackrate: set SOURCE_CONTACT, so that the operators of the source know whom to contact.')
  return written.map(({ name, text }) => ({
    name,
    source: openSource(text, { map: mapFor(text), contact, callsPerMinute }),
  }))
}

/** The catalog of the options, otherwise of CATALOG; undefined: none is read. Throws UsageError. */
export function configuredCatalog(config: Config, options: CatalogOptions = {}): Catalog | undefined {
  const text = options.catalog ?? config.catalog
  return text === undefined ? undefined : openCatalog(text, config.sourceContact)
}

/** The sources to take a slot from: all configured sources, or the one with the given name. Throws UsageError. */
export function chosenSources(config: Config, options: SourceFlags): ConfiguredSource[] {
  const [only = '', ...more] = options.source ?? []
  if (only === '' || only.includes('=') || more.length > 0) return configuredSources(config, options)
  const { source: _, ...others } = options
  const found = configuredSources(config, others).filter(({ name }) => name === only)
  if (found.length === 0)
    throw new UsageError(
      `SOURCES has no source ${only.slice(0, 100)}. Name one of them, or give --source kind=place.`,
    )
  return found
}

/**
 * Checks, before anything is recorded, that each market of the site belongs to its source, and opens the databases of all sources except
 * the first. Throws UsageError, and closes the stores then.
 */
export async function openRecordedMarkets(
  config: Config,
  stores: SiteStores,
  sources: readonly ConfiguredSource[],
): Promise<SourceMarket[]> {
  const [first, ...others] = sources
  const markets: SourceMarket[] = []
  try {
    await keepToSource(stores.postgres, first?.source)
    // A source is registered only after its databases exist: a process that only serves opens the databases of all sources.
    for (const { name, source } of others) {
      const market = { ...(await openMarket(config, stores, name)), name, isCollected: true }
      markets.push(market)
      await keepToSource(market.postgres, source)
    }
    await registerSources(
      stores.postgres,
      sources.map(({ name }) => name),
    )
    markets.push(...(await openMarkets(config, stores, { isCollected: false })))
    return markets
  } catch (error) {
    await closeMarkets(markets)
    await stores.close()
    throw error
  }
}
