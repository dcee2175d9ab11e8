import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { sqlSchema, type sqlTable, type sqlWords } from '../../../contract/sql.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { one } from '../../../platform/stores/rows.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Series } from '../series-state.ts'

interface Options {
  clickhouse: ClickHouse
  series: Series
}

/** What the editor of ad hoc SQL completes. */
export const sqlSchemaRoute: FastifyPluginAsyncZod<Options> = async (app, { clickhouse, series }) => {
  app.get(
    '/api/v0/metrics/sql/schema',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'getSqlSchema',
        summary: 'Tables for ad hoc SQL',
        description: 'With the words that the engine knows, for completion.',
        tags: ['sql'],
        response: { 200: sqlSchema },
      },
    },
    async () => {
      const [{ simulated_to }, tables, words] = await Promise.all([
        series.state(),
        selectRows<z.infer<typeof sqlTable>>(clickhouse, loadSql('clickhouse/queries/sql/schema')),
        selectRows<z.infer<typeof sqlWords>>(clickhouse, loadSql('clickhouse/queries/sql/words')),
      ])
      return { tables, ...one(words), simulated: simulated_to > 0 }
    },
  )
}
