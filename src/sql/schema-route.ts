import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { sqlSchema, type sqlTable, type sqlWords } from '../../contract/sql.ts'
import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { one } from '../../platform/stores/rows.ts'
import type { SeriesView } from '../market/market-query/series.ts'

interface Options {
  clickhouse: ClickHouse
  series: SeriesView
  /** The markets of all sources except the first. */
  markets: readonly { clickhouse: ClickHouse }[]
}

interface Table extends z.infer<typeof sqlTable> {
  database: string
}

/** Tables and words for completion in the editor of ad hoc SQL. */
export const sqlSchemaRoute: FastifyPluginAsyncZod<Options> = async (
  app,
  { clickhouse, series, markets },
) => {
  const tablesOf = (of: ClickHouse) => selectRows<Table>(of, 'sql/schema')
  app.get(
    '/api/v0/metrics/sql/schema',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'getSqlSchema',
        summary: 'Tables for ad hoc SQL',
        description: "Tables and columns, and the engine's keywords and functions for completion.",
        tags: ['sql'],
        response: { 200: sqlSchema },
      },
    },
    async () => {
      const [{ simulated_to }, words, own, ...others] = await Promise.all([
        series.state(),
        selectRows<z.infer<typeof sqlWords>>(clickhouse, 'sql/words'),
        ...[clickhouse, ...markets.map((market) => market.clickhouse)].map(tablesOf),
      ])
      // Statements run in the database of the first source. Names of other tables have their database as a prefix.
      const named = others.flat().map((table) => ({ ...table, name: `${table.database}.${table.name}` }))
      return { tables: [...(own ?? []), ...named], ...one(words), simulated: simulated_to > 0 }
    },
  )
}
