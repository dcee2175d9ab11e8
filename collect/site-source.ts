import { coverageNotice, type MarketCoverage } from '../contract/sources.ts'
import type { Session } from '../platform/stores/postgres.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { LeftOutPart } from './market.ts'
import type { Source } from './source.ts'

/** The source of a market, and the result of its newest request. */
export interface SiteSource {
  source: string
  failures: number
  problem: string | null
  good_slot: number | null
  machines: number | null
  /** Parts of the newest good answer that were left out; null: not recorded yet. */
  left_out: { reasons: Record<string, number>; rows: LeftOutPart[] } | null
}

/** The source of the market in this database; undefined when the market is the site's own. */
export async function siteSource(postgres: Session): Promise<SiteSource | undefined> {
  const { rows } = await postgres.query<SiteSource>(
    'SELECT source, failures, problem, good_slot, machines, left_out FROM collector',
  )
  return rows[0]
}

type KnownCoverage = MarketCoverage & { states: Record<string, number> }

/** The coverage of the newest slot of the market in this database, with its offers by state; undefined: no slot knows it. */
export async function newestCoverage(postgres: Session): Promise<KnownCoverage | undefined> {
  const [row] = (await postgres.query<Omit<KnownCoverage, 'notice'>>('sweep/newest')).rows
  return row && { ...row, notice: coverageNotice(row) }
}

/**
 * Verifies that the market is recorded from this source only, or from its own database if there is no source: a series belongs to
 * one market. The first source becomes the market's source. With `replace` it replaces another one, as when an exporter has
 * moved. Throws UsageError.
 */
export async function keepToSource(
  postgres: Session,
  source: Source | undefined,
  { replace = false } = {},
): Promise<void> {
  if (source) await postgres.query('collector/register', [source.name, replace])
  const known = await siteSource(postgres)
  if (known?.source === source?.name) return
  if (!known)
    throw new UsageError(
      'This site records the marketplace of its own database, or a simulated one, so it cannot have a source. Use another database, or another RACKRATE_DATA_DIR.',
    )
  throw new UsageError(
    source
      ? `This site records ${known.source} here, and a market has only one source. To record ${source.name} as well, give both, the present one first. If it is the same market at a new address, run \`rackrate collect --accept\` with the new source once.`
      : `This site records ${known.source}. Give this source with --source or SOURCES.`,
  )
}
