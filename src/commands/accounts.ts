import { createHash } from 'node:crypto'
import { type Config, UsageError } from '../config.ts'
import { loadSql, textFor } from '../platform/sql.ts'

export interface AccountsOptions {
  reader?: boolean
}

/**
 * The statements that make ClickHouse's accounts of the configuration, for whoever may run them; passwords are hashed in them. `reader`: the
 * service's own account is one that only reads. Throws UsageError for names that would have to be quoted.
 */
export function accountStatements(
  { clickhouse }: Pick<Config, 'clickhouse'>,
  { reader }: AccountsOptions,
): string {
  if (!clickhouse)
    throw new UsageError('CLICKHOUSE_URL is not set: the embedded engine has its accounts already.')
  const { cluster, database, analyst } = clickhouse
  const place = cluster ? { cluster, database } : undefined
  const statements = (names: string[], { username, password }: { username: string; password: string }) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(username)) throw new UsageError(`${username} must be a plain name.`)
    if (password === '') throw new UsageError(`${username} needs a password.`)
    const hash = createHash('sha256').update(password).digest('hex')
    return names.map((name) =>
      textFor(loadSql(`clickhouse/accounts/${name}`), place)
        .replace(/\/\*!.*?\*\//gs, '')
        .replaceAll('$user', username)
        .replaceAll('$hash', hash)
        .replaceAll('$database', database)
        .trim(),
    )
  }
  const all = [
    ...statements(['user', reader ? 'reader_grants' : 'writer_grants'], clickhouse),
    ...(analyst ? statements(['sql_profile', 'sql_user', 'sql_grants', 'sql_quota'], analyst) : []),
  ]
  return all.map((statement) => `${statement};\n`).join('\n')
}
