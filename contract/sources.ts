import { z } from 'zod'
import { epochOut, named } from './fields.ts'

/** The form of a source's name, which is part of database names. */
export const sourceName = /^[a-z][a-z0-9_]{0,31}$/

/** The database of a source that is not the first, in PostgreSQL and in ClickHouse. `site`: the site's database. */
export const databaseOf = (site: string, source: string): string => `${site}_${source}`

/** A parameter of every endpoint of the market. */
export const sourceParameter = {
  name: 'source',
  description:
    'Name of the source whose market is queried (`GET /api/v0/metrics/sources`). Default: the first.',
}

export const sourceState = named('MarketSource', {
  name: z.string(),
  newest_slot: epochOut.nullable().describe('null: there is none yet'),
  takes_key: z
    .boolean()
    .describe(
      "True if the host's own API key can prove a claim, because the source's marketplace accepts such keys",
    ),
  failures: z.int().describe('Failed requests to the source since the last successful one'),
  problem: z.string().nullable().describe('Error of the newest request'),
})

export const sourcesAnswer = z.object({
  success: z.literal(true),
  sources: z.array(sourceState).describe('The default source first. Empty: the site has its own market only'),
})

export type SourceState = z.infer<typeof sourceState>
