import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import {
  auditedQuery,
  savedQuery,
  savedQueryBody,
  sqlBody,
  sqlSchema,
  type sqlTable,
  type sqlWords,
} from '../../../contract/sql.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { Series } from '../series-state.ts'
import { patienceMs, produces, type SqlOptions, sendResult, sqlErrors } from './send.ts'

const tags = ['sql']
const mostSaved = 500

const description = `One read-only statement, run as it is by an account of ClickHouse that can read the analytics database and nothing else, within
limits of time, rows, bytes and memory. Streamed: a failure after the first byte breaks the connection off (format \`Progress\`: its last line is
\`{"exception": …}\`). Leaving ends the query. A \`FORMAT\` in the statement counts more than \`format\`.

Header: \`Rackrate-Query-Id\`. Who asked what, and what it cost, is kept and seen by all admins.`

/** Ad hoc SQL for admins, and what goes with it. Ours, not in SPEC.md. */
export const sqlRoute: FastifyPluginAsyncZod<SqlOptions & { series: Series }> = async (
  app,
  { series, ...options },
) => {
  const { postgres, clickhouse } = options

  app.post(
    '/api/v0/metrics/sql',
    {
      handlerTimeout: patienceMs,
      config: { permissions: ['machine_read'], access: 'admin', errors: sqlErrors },
      schema: {
        summary: 'Ad hoc SQL',
        description,
        tags,
        body: sqlBody,
        produces,
        response: { 200: z.unknown().describe('The result in the format asked for') },
      },
    },
    ({ caller, body }, reply) => sendResult(reply, options, caller.accountId, body),
  )

  app.get(
    '/api/v0/metrics/sql/schema',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        summary: 'Tables for ad hoc SQL',
        description: 'With the words that the engine knows, for completion.',
        tags,
        response: { 200: sqlSchema },
      },
    },
    async () => {
      const [{ simulated_to }, tables, [words]] = await Promise.all([
        series.state(),
        selectRows<z.infer<typeof sqlTable>>(clickhouse, loadSql('clickhouse/queries/sql/schema')),
        selectRows<z.infer<typeof sqlWords>>(clickhouse, loadSql('clickhouse/queries/sql/words')),
      ])
      return { tables, ...(words ?? { functions: [], keywords: [], types: [] }), simulated: simulated_to > 0 }
    },
  )

  app.get(
    '/api/v0/metrics/sql/queries',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        summary: 'Who asked what',
        description: 'Newest first.',
        tags,
        querystring: z.object({
          mine: z.stringbool().default(false).describe('Only own ones'),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
        }),
        response: { 200: z.array(auditedQuery) },
      },
    },
    async ({ caller, query }) => {
      const { rows } = await postgres.query<z.infer<typeof auditedQuery>>(
        loadSql('postgres/queries/sql/audited'),
        [query.mine ? caller.accountId : null, query.limit],
      )
      return rows
    },
  )

  app.get(
    '/api/v0/metrics/sql/saved',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        summary: 'Saved queries',
        description: 'Own ones and shared ones, by name.',
        tags,
        response: { 200: z.array(savedQuery) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof savedQuery>>(
        loadSql('postgres/queries/sql/saved'),
        [caller.accountId],
      )
      return rows
    },
  )

  app.post(
    '/api/v0/metrics/sql/saved',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        summary: 'Save a query',
        description: `An own query of the same name is replaced. At most ${mostSaved}.`,
        tags,
        body: savedQueryBody,
        response: { 200: z.object({ success: z.literal(true), id: z.int() }) },
      },
    },
    async ({ caller, body }) => {
      const { rows } = await postgres.query<{ id: number }>(
        `INSERT INTO saved_queries (account_id, name, query, shared)
         SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM saved_queries WHERE account_id = $1) < $5
         ON CONFLICT (account_id, name) DO UPDATE SET query = EXCLUDED.query, shared = EXCLUDED.shared, updated_at = now()
         RETURNING id`,
        [caller.accountId, body.name, body.query, body.shared, mostSaved],
      )
      if (!rows[0]) throw new ApiError(400, 'invalid_args', `At most ${mostSaved} saved queries`)
      return { success: true as const, id: rows[0].id }
    },
  )

  app.delete(
    '/api/v0/metrics/sql/saved/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'admin',
        errors: { 404: "Not a saved query of the caller's: `not_found`" },
      },
      schema: {
        summary: 'Delete a saved query',
        description: 'Only your own.',
        tags,
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(
        'DELETE FROM saved_queries WHERE id = $1 AND account_id = $2',
        [idOf(params.id), caller.accountId],
      )
      if (rowCount === 0) throw notFound('There is no such saved query')
      return { success: true as const }
    },
  )
}
