import type { Session } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { Source } from './source.ts'

/** The source of the site, and how the newest request to it went. */
export interface SiteSource {
  source: string
  failures: number
  problem: string | null
  good_slot: number | null
  machines: number | null
}

/** Undefined when the market is that of the site's own database. */
export async function siteSource(postgres: Session): Promise<SiteSource | undefined> {
  const { rows } = await postgres.query<SiteSource>(
    'SELECT source, failures, problem, good_slot, machines FROM collector',
  )
  return rows[0]
}

/**
 * Makes sure that the site records this source, or its own database where there is none, and no other: a series is of one market. The first
 * source becomes that of the site. With `replace` it takes the place of another one, as when an exporter has moved. Throws UsageError.
 */
export async function keepToSource(
  postgres: Session,
  source: Source | undefined,
  { replace = false } = {},
): Promise<void> {
  if (source) await postgres.query(loadSql('postgres/queries/collector/register'), [source.name, replace])
  const known = await siteSource(postgres)
  if (known?.source === source?.name) return
  if (!known)
    throw new UsageError(
      'This site records the marketplace of its own database, or a simulated one, so it cannot have a source. Use another database, or another RACKRATE_DATA_DIR.',
    )
  throw new UsageError(
    source
      ? `This site records ${known.source}, and a site has one source. For ${source.name} use another database, or another RACKRATE_DATA_DIR. If it is the same market at a new address, run \`rackrate collect --accept\` with the new source once.`
      : `This site records ${known.source}. Give this source with --source or SOURCES.`,
  )
}
