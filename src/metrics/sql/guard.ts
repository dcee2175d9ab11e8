import { type ClickHouse, selectRows } from '../../platform/clickhouse.ts'
import { forbidden } from '../../platform/errors.ts'
import { loadSql } from '../../platform/sql.ts'

/**
 * Functions that no grant covers. `file` reads files: those of one folder on a server, any on the embedded engine, which is clickhouse-local
 * underneath. `catboostEvaluate` loads a library.
 */
const reachOutside = new Set(['file', 'catboostEvaluate'])

/**
 * Refuses a statement with one of those names in it, whatever it would mean there: a function is also called by APPLY and by arrayMap, through
 * a quoted name with escapes and through a parameter that is an identifier. Everything else is left to the account's grants and limits. The
 * names are those that ClickHouse's own lexer sees. Throws 403.
 */
export async function guardNames(clickhouse: ClickHouse, query: string): Promise<void> {
  const rows = await selectRows<{ name: string }>(clickhouse, loadSql('clickhouse/queries/sql_names'), {
    query,
  })
  for (const { name } of rows) {
    const plain = name.replaceAll(/^\W+|\W+$/g, '')
    if (reachOutside.has(plain)) throw forbidden(`The name ${plain} is not allowed in a statement`)
    if (name.includes('\\')) throw forbidden('Escapes are not allowed in a quoted name')
    if (plain.toLowerCase() === 'identifier') throw forbidden('A parameter can not be an identifier')
  }
}
