import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sqlBody } from '../../contract/sql.ts'
import { patienceMs, produces, type SqlOptions, sendResult, sqlErrors } from './send.ts'

const description = `Runs one read-only statement unchanged, as a ClickHouse account that can only read the analytics database, within limits on time,
rows, bytes and memory. The result is streamed: a failure after the first byte aborts the connection (format \`Progress\`: the last line is
\`{"exception": …}\`). Closing the connection cancels the statement. A \`FORMAT\` clause in the statement overrides \`format\`. Header:
\`Rackrate-Query-Id\`. Who ran which statement, and its cost, is recorded and visible to all admins.`

/** Ad hoc SQL. */
export const runSqlRoute: FastifyPluginAsyncZod<SqlOptions> = async (app, { sql }) => {
  app.post(
    '/api/v0/metrics/sql',
    {
      handlerTimeout: patienceMs,
      config: { permissions: ['machine_read'], access: 'admin', errors: sqlErrors },
      schema: {
        operationId: 'runSql',
        summary: 'Ad hoc SQL',
        description,
        tags: ['sql'],
        body: sqlBody,
        produces,
        response: { 200: z.unknown().describe('The result in the requested format') },
      },
    },
    ({ caller: { accountId }, body }, reply) => sendResult(reply, sql, { accountId, body }),
  )
}
