import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { listSources } from '../../../collect/sources.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { type Roster, rosterOf } from '../machines/roster.ts'
import type { SeriesView } from '../question/series.ts'

/** Where machines that are claimed were seen. */
interface ClaimedMarket {
  clickhouse: ClickHouse
  series: Pick<SeriesView, 'state'>
}

export interface ClaimOptions {
  /** The site's main database. */
  postgres: Postgres
  first: ClaimedMarket
  /** The markets of all sources but the first. */
  others: ReadonlyMap<string, ClaimedMarket>
}

/** One endpoint of claims. Each has a file of its own; src/app.ts lists them all. */
export type ClaimRoute = FastifyPluginAsyncZod<ClaimOptions>

/** The source with a name, or the first, and the machines that it has shown. Throws 400 for a name that the site does not have. */
export async function sourceNamed(
  { postgres, first, others }: ClaimOptions,
  name: string | undefined,
): Promise<{ source: string; roster: Roster }> {
  const sources = await listSources(postgres)
  if (sources.length === 0)
    throw invalidArgs(
      'source: this site has no source. It records its own marketplace, whose machines belong to its accounts',
    )
  const found = sources.find((one) => (name === undefined ? one.is_first : one.name === name))
  const market = found && (found.is_first ? first : others.get(found.name))
  if (!found || !market) throw invalidArgs(`source must be ${sources.map((one) => one.name).join(' or ')}`)
  return { source: found.name, roster: await rosterOf(market.clickhouse, await market.series.state()) }
}
