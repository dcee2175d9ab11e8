import { z } from 'zod'
import { epochOut, named } from './fields.ts'

/** The name of a source. It is a part of the names of databases. */
export const sourceName = /^[a-z][a-z0-9_]{0,31}$/

/** The database of a source that is not the first, in PostgreSQL as in ClickHouse. `site`: that of the site. */
export const databaseOf = (site: string, source: string): string => `${site}_${source}`

/** The parameter of every endpoint of the market. */
export const sourceParameter = {
  name: 'source',
  description:
    'The market that is asked about, by the name of its source (`GET /api/v0/metrics/sources`). Without it: the first one.',
}

export const sourceState = named('MarketSource', {
  name: z.string(),
  newest_slot: epochOut.nullable().describe('null: there is none yet'),
  takes_key: z
    .boolean()
    .describe(
      "Whether claims of it can be proven by the host's own key: its marketplace can be asked with one",
    ),
  failures: z.int().describe('Requests to the source since the last one that gave a market'),
  problem: z.string().nullable().describe('Why the newest request gave no market'),
})

export const sourcesAnswer = z.object({
  success: z.literal(true),
  sources: z.array(sourceState).describe('The first one first. Empty: the market is that of the site itself'),
})

export type SourceState = z.infer<typeof sourceState>
