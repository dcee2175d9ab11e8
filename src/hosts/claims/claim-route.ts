import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { listSources } from '../../../collect/sources.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { SeriesView } from '../../market/market-query/series.ts'
import { type Roster, rosterOf } from '../machines/roster.ts'

/** A market with claimed machines. */
interface ClaimedMarket {
  postgres: Postgres
  clickhouse: ClickHouse
  series: Pick<SeriesView, 'state'>
}

export interface ClaimOptions {
  clock: Clock
  vault: Vault
  /** The site's main database. */
  postgres: Postgres
  first: ClaimedMarket
  /** The markets of all sources except the first. */
  others: ReadonlyMap<string, ClaimedMarket>
}

/** One endpoint of claims. Each has a file of its own; src/app.ts lists them all. */
export type ClaimRoute = FastifyPluginAsyncZod<ClaimOptions>

interface ClaimedSource extends ClaimedMarket {
  source: string
  isFirst: boolean
}

/** The sources of the site, the first one first, without sources that were added since this process started. */
export async function openSources({ postgres, first, others }: ClaimOptions): Promise<ClaimedSource[]> {
  return (await listSources(postgres)).flatMap(({ name, is_first: isFirst }) => {
    const market = isFirst ? first : others.get(name)
    return market ? [{ ...market, source: name, isFirst }] : []
  })
}

/** The machines that a source has shown. */
export const rosterIn = async ({ clickhouse, series }: ClaimedMarket): Promise<Roster> =>
  rosterOf(clickhouse, await series.state())

/** The source with a name, or the first, and its machines. Throws 400 for a name that the site does not have. */
export async function sourceNamed(
  options: ClaimOptions,
  name: string | undefined,
): Promise<{ source: string; roster: Roster; postgres: Postgres }> {
  const sources = await openSources(options)
  if (sources.length === 0)
    throw invalidArgs(
      'source: this site records its own marketplace and has no sources. Its machines already belong to its accounts',
    )
  const found = sources.find(({ source, isFirst }) => (name === undefined ? isFirst : source === name))
  if (!found) throw invalidArgs(`source must be ${sources.map(({ source }) => source).join(' or ')}`)
  return { source: found.source, roster: await rosterIn(found), postgres: found.postgres }
}
