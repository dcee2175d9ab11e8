import { isAnonymous, openSource } from '../collect/open-source.ts'
import { keepToSource } from '../collect/site-source.ts'
import type { Source } from '../collect/source.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Config } from './config.ts'
import type { SourceOptions } from './source-options.ts'
import type { Stores } from './stores.ts'

/** The source that the options name, else SOURCES; undefined: the site's market is that of its own database. Throws UsageError. */
export function configuredSource(config: Config, options: SourceOptions = {}): Source | undefined {
  const [text, ...others] = options.source ?? config.sources
  if (others.length > 0)
    throw new UsageError(
      'A site has one source. For another one start a site of its own: docs/collectors.md.',
    )
  const given = { map: options.map ?? config.sourceMap, contact: config.sourceContact }
  if (text === undefined) return undefined
  if (isAnonymous(text, given))
    console.error('rackrate: set SOURCE_CONTACT, so that the people behind the source know whom to ask.')
  return openSource(text, given)
}

/** Makes sure that the site records this source and no other, before anything is recorded. Throws UsageError, and closes the stores then. */
export async function keepSiteTo(stores: Stores, source: Source | undefined): Promise<void> {
  try {
    await keepToSource(stores.postgres, source)
  } catch (error) {
    await stores.close()
    throw error
  }
}
