import { z } from 'zod'
import { epochOut, named } from './fields.ts'

/** Searches that are sent to a marketplace in a minute. The documents of a real one allow 10. */
export const usualCallsPerMinute = 8

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

export const marketCoverage = named('MarketCoverage', {
  slot: epochOut.describe('The newest slot whose coverage is known'),
  method: z
    .enum(['one answer', 'repeats'])
    .describe(
      '`one answer`: the source lists all machines. `repeats`: estimated by the offers of random samples whose machines are known',
    ),
  share: z.number().min(0).max(1).describe('Share of the market that the slot has'),
  low: z.number().describe('Lower end of its 95 % interval'),
  high: z.number().describe('Upper end of its 95 % interval'),
  machines: z.int().describe('Machines in the slot'),
  carried: z.int().describe('Machines that the slot has not seen. They are in it as they were seen last'),
  age: z.int().nullable().describe('Seconds since the oldest part was seen. null: parts were never seen'),
  calls: z.int().describe('Searches that were sent for the slot'),
  problem: z.string().nullable().describe('Why the searches of the slot ended early. null: they did not'),
  official: z
    .object({
      at: epochOut.describe('The time of the official counts'),
      gpus: z.int().describe('GPUs of the market by the official counts'),
      seen: z.int().describe('GPUs that the slot has of the same GPU names'),
      share: z.number().min(0).describe('seen ÷ gpus'),
    })
    .nullable()
    .describe('The slot beside the counts of the official server. null: there are none of that time'),
  notice: z
    .string()
    .nullable()
    .describe(
      'A sentence for people. null: all parts of the market were seen, and the slot has 90 % or more',
    ),
})

/** A slot with a smaller share of its market is marked. */
const enough = 0.9
const percent = (share: number) => `${Math.round(100 * share)} %`

/** Official counts below this share of the seen GPUs are not of this market. */
const leastOfSeen = 0.8

type NoticeFigures = Pick<z.infer<typeof marketCoverage>, 'share' | 'low' | 'high' | 'age' | 'official'>

/** A sentence about a slot that has too little of its market, or parts of which were never seen; null: it has enough. */
export const coverageNotice = ({ share, low, high, age, official }: NoticeFigures) =>
  share >= enough && age !== null
    ? officialNotice(official)
    : `The newest slot has about ${percent(share)} of the market (${percent(low)} to ${percent(high)}). ${age === null ? 'The first sweep has not ended. ' : ''}Counts are of the machines that were seen.`

function officialNotice(official: NoticeFigures['official']): string | null {
  if (!official) return null
  const { gpus, seen, share } = official
  if (share < enough)
    return `The newest slot has ${percent(share)} of the GPUs of the official counts (${seen} of ${gpus}). Counts are of the machines that were seen.`
  if (gpus < seen * leastOfSeen)
    return `The official counts have ${gpus} GPUs, but ${seen} were seen. They may be of another market.`
  return null
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
  left_out: z
    .record(z.string(), z.int())
    .describe('Number of rows, offers and machines of the newest answer that were left out, by reason'),
  left_out_rows: z
    .array(z.object({ place: z.string().describe('Such as `line 7`, `offer 29496002`'), reason: z.string() }))
    .describe('The first ten of them'),
  coverage: marketCoverage.nullable().describe('null: the source does not know it'),
  official: z
    .object({
      url: z.string().describe('Empty: the server is no longer read, and its aggregates stay'),
      read_at: epochOut.nullable().describe('The newest complete reading. null: none yet'),
      first: epochOut.nullable().describe('The time of which there are aggregates. null: none yet'),
      last: epochOut.nullable(),
      failures: z.int().describe('Failed readings since the last good one'),
      problem: z.string().nullable().describe('Error of the newest reading'),
      left_out: z.record(z.string(), z.string()).describe('GPU names that were left out, with the reason'),
    })
    .nullable()
    .describe('The server whose aggregates show the time before the own observations. null: there is none'),
})

export type MarketCoverage = z.infer<typeof marketCoverage>

export const sourcesAnswer = z.object({
  success: z.literal(true),
  sources: z.array(sourceState).describe('The default source first. Empty: the site has its own market only'),
})

export type SourceState = z.infer<typeof sourceState>
