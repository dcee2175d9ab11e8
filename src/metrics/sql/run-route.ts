import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sqlBody } from '../../../contract/sql.ts'
import { patienceMs, produces, type SqlOptions, sendResult, sqlErrors } from './send.ts'

const description = `One read-only statement, run as it is by an account of ClickHouse that can read the analytics database and nothing else, within
limits of time, rows, bytes and memory. Streamed: a failure after the first byte breaks the connection off (format \`Progress\`: its last line is
\`{"exception": …}\`). Closing the connection cancels the statement. A \`FORMAT\` in the statement counts more than \`format\`.

Header: \`Rackrate-Query-Id\`. Who ran what, and what it cost, is kept and seen by all admins.`

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
        response: { 200: z.unknown().describe('The result in the format asked for') },
      },
    },
    ({ caller: { accountId }, body }, reply) => sendResult(reply, sql, { accountId, body }),
  )
}
