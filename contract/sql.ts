import { z } from 'zod'
import { epochOut, named } from './fields.ts'
import { keysOf } from './records.ts'
import { formats } from './sql-formats.ts'

const formatNames = keysOf(formats)

export const longestQuery = 200_000

/** ClickHouse takes parameters in the address of a request, which may have a MiB. */
const longestParams = 500_000

const scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()])

export const sqlBody = named('SqlStatement', {
  query: z.string().trim().min(1, 'query is required').max(longestQuery),
  format: z
    .enum(formatNames)
    .default('JSON')
    .describe(
      '`Progress`: a line of JSON each for progress, the columns (`meta`), every row, and an exception if there is one at the end',
    ),
  params: z
    .record(
      z.string().regex(/^[A-Za-z_]\w{0,99}$/, 'must be plain names'),
      z.union([scalar, z.array(scalar).max(10_000)]),
    )
    .refine((given) => Object.keys(given).length <= 100, { error: 'must be at most 100' })
    .refine((given) => encodeURIComponent(JSON.stringify(given)).length <= longestParams, {
      error: `must have at most ${longestParams} characters together, URL-encoded`,
    })
    .default({})
    .describe('Values for `{name:Type}` in the query'),
})
export type SqlBody = z.infer<typeof sqlBody>

export const auditedQuery = named('AuditedQuery', {
  id: z.string(),
  user_id: z.int().nullable().describe('null: the command line'),
  username: z.string().nullable(),
  query: z.string(),
  params: z.record(z.string(), z.unknown()),
  format: z.string(),
  started_at: epochOut,
  outcome: z.enum(['running', 'done', 'failed', 'cancelled']),
  error: z.string().nullable(),
  duration_ms: z.number().nullable(),
  read_rows: z.number().nullable(),
  read_bytes: z.number().nullable(),
  result_rows: z.number().nullable(),
  memory_usage: z.number().nullable().describe('Bytes at most'),
})

export const savedQuery = named('SavedQuery', {
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  name: z.string(),
  query: z.string(),
  shared: z.boolean().describe('Every admin sees it'),
  updated_at: epochOut,
})

export const savedQueryBody = z.object({
  name: z.string().trim().min(1).max(200),
  query: z.string().trim().min(1).max(longestQuery),
  shared: z.boolean().default(false),
})

const words = z.array(z.string())

export const sqlTable = named('SqlTable', {
  name: z.string(),
  engine: z.string(),
  comment: z.string(),
  rows: z.number().nullable(),
  bytes: z.number().nullable().describe('On disk, compressed'),
  columns: z.array(z.object({ name: z.string(), type: z.string(), comment: z.string() })),
})

export const sqlWords = z.object({
  functions: words,
  keywords: words.describe('May be several words: `ORDER BY`'),
  types: words,
})

export const sqlSchema = sqlWords.extend({
  tables: z.array(sqlTable),
  simulated: z.boolean().describe('True if they include data of a simulated market'),
})
