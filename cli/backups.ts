import { listSources } from '../collect/sources.ts'
import type { SiteStores } from './stores.ts'

/** A backup of one market. */
interface MarketBackup {
  /** The source of the market; undefined: the site has none. */
  source: string | undefined
  /** The name of its backup. */
  backup: string
}

/** The backups that `name` stands for: that of every market of the site, or of one. Those of all but the first have their source in front. */
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
