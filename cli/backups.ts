import { listSources } from '../collect/sources.ts'
import type { SiteStores } from './stores.ts'

/** A backup of one market. */
interface MarketBackup {
  /** The source of the market; undefined: the site has no sources. */
  source: string | undefined
  /** The name of its backup. */
  backup: string
}

/**
 * The backups that belong to `name`: of every market of the site, or of one. Backups of all markets except the first are prefixed with
 * their source.
 */
export async function backupsOf(
  { postgres }: SiteStores,
  name: string,
  only?: string,
): Promise<MarketBackup[]> {
  const sources = await listSources(postgres)
  const all = sources.map((source) => ({
    source: source.name,
    backup: source.is_first ? name : `${source.name}-${name}`,
  }))
  if (only !== undefined) return [all.find(({ source }) => source === only) ?? { source: only, backup: name }]
  return all.length > 0 ? all : [{ source: undefined, backup: name }]
}
