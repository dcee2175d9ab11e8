import { pipeline } from 'node:stream/promises'
import { type SqlFormat, sqlBody } from '../../contract/sql.ts'
import { askSql } from '../../src/metrics/sql/ask.ts'
import { type Config, UsageError } from '../config.ts'
import { withStores } from '../stores.ts'

export interface SqlCommandOptions {
  format: SqlFormat
  param?: Record<string, string>
}

/** `rackrate sql`: one read-only statement, by the account for ad hoc SQL; its answer goes to stdout. */
export async function sql(
  config: Config,
  query: string,
  { format, param = {} }: SqlCommandOptions,
): Promise<void> {
  const parsed = sqlBody.safeParse({ query, format, params: param })
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(({ message }) => message).join('\n'))
  await withStores(config, async ({ postgres, clickhouse, analyst }) => {
    if (!analyst) throw new UsageError('CLICKHOUSE_SQL_USER names no account for ad hoc SQL.')
    const leaving = new AbortController()
    process.once('SIGINT', () => leaving.abort())
    const { stream, audited } = await askSql(
      { postgres, clickhouse, analyst },
      null,
      parsed.data,
      leaving.signal,
    )
    try {
      await pipeline(stream, process.stdout, { end: false })
    } finally {
      await audited
    }
  })
}
