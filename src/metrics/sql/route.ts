import type { ServerResponse } from 'node:http'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Caller } from '../../platform/auth.ts'
import { selectRows } from '../../platform/clickhouse.ts'
import { ApiError, forbidden, notFound } from '../../platform/errors.ts'
import { idOf } from '../../platform/schemas.ts'
import { loadSql } from '../../platform/sql.ts'
import { askSql, type SqlStores } from './ask.ts'
import { auditedQuery, savedQuery, savedQueryBody, sqlBody, sqlSchema } from './schema.ts'

export interface SqlOptions extends Omit<SqlStores, 'analyst'> {
  /** undefined: the site has no such account in ClickHouse. */
  analyst: SqlStores['analyst'] | undefined
}

const tags = ['sql']
const mostSaved = 500
/** Longer than any statement may take. */
const patienceMs = 90_000

const description = `For admins. One read-only statement, run as it is by an account of ClickHouse that can read the analytics database and nothing else, within
limits of time, rows, bytes and memory. Streamed: a failure after the first byte breaks the connection off (format \`Progress\`: its last line is
\`{"exception": …}\`). Leaving ends the query. A \`FORMAT\` in the statement counts more than \`format\`.

Header: \`Rackrate-Query-Id\`. Who asked what, and what it cost, is kept and seen by all admins.`

/** Ad hoc SQL for admins, and what goes with it. Ours, not in SPEC.md. */
export const sqlRoute: FastifyPluginAsyncZod<SqlOptions> = async (app, { postgres, clickhouse, analyst }) => {
  app.addHook('onRequest', async ({ caller }) => requireAdmin(caller))

  app.post(
    '/api/v0/metrics/sql',
    {
      handlerTimeout: patienceMs,
      config: {
        permissions: ['machine_read'],
        errors: {
          400: "ClickHouse doesn't understand the statement: `sql_error`, in its own words, with `position` for a syntax error. Or `invalid_args`",
          403: 'Not an admin, or more than reading the analytics database: `forbidden`',
          422: 'More time, rows, bytes or memory than a statement may take: `limit_exceeded`',
          429: 'Too many queries at once, or the quota of the hour is used up. See the header Retry-After',
          501: 'The site has no account for ad hoc SQL: `not_configured`',
        },
      },
      schema: {
        summary: 'Ad hoc SQL',
        description,
        tags,
        body: sqlBody,
        produces: ['application/json', 'text/csv', 'text/tab-separated-values', 'application/octet-stream'],
        response: { 200: z.unknown().describe('The result in the format asked for') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      if (!analyst)
        throw new ApiError(
          501,
          'not_configured',
          'CLICKHOUSE_SQL_USER names no account for ad hoc SQL. See .env.example',
        )
      reply.raw.setTimeout(patienceMs, () => reply.raw.destroy())
      const answer = await askSql(
        { postgres, clickhouse, analyst },
        caller.accountId,
        body,
        leavingOf(reply.raw),
      )
      return reply
        .header('rackrate-query-id', answer.queryId)
        .header('cache-control', 'no-store')
        .type(answer.contentType)
        .send(answer.stream)
    },
  )

  app.get(
    '/api/v0/metrics/sql/schema',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        summary: 'Tables for ad hoc SQL',
        description: 'For admins.',
        tags,
        response: { 200: sqlSchema },
      },
    },
    () => selectRows<z.infer<typeof sqlSchema>[number]>(clickhouse, loadSql('clickhouse/queries/sql_schema')),
  )

  app.get(
    '/api/v0/metrics/sql/queries',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        summary: 'Who asked what',
        description: 'For admins. Newest first.',
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
        loadSql('postgres/queries/sql_queries'),
        [query.mine ? caller.accountId : null, query.limit],
      )
      return rows
    },
  )

  app.get(
    '/api/v0/metrics/sql/saved',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        summary: 'Saved queries',
        description: 'For admins. Own ones and shared ones, by name.',
        tags,
        response: { 200: z.array(savedQuery) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof savedQuery>>(
        loadSql('postgres/queries/saved_queries'),
        [caller.accountId],
      )
      return rows
    },
  )

  app.post(
    '/api/v0/metrics/sql/saved',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        summary: 'Save a query',
        description: `For admins. An own query of the same name is replaced. At most ${mostSaved}.`,
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
        errors: { 404: "Not a saved query of the caller's: `not_found`" },
      },
      schema: {
        summary: 'Delete a saved query',
        description: 'For admins, of their own.',
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

/** Fires when the caller leaves before the answer is complete. (Fastify's `request.signal` fires when the body of a POST has been read.) */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  if (response.destroyed) leaving.abort()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}

function requireAdmin({ isAdmin }: Caller): void {
  if (!isAdmin) throw forbidden('Admin access required')
}
