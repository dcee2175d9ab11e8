import { createHash } from 'node:crypto'
import { execute } from '../../platform/stores/clickhouse.ts'
import { throughDefault } from '../../platform/stores/migrate.ts'
import { loadSql, textFor } from '../../platform/stores/sql.ts'
import { type Config, UsageError } from '../config.ts'

export interface AccountsOptions {
  reader?: boolean
  apply?: boolean
}

/** Makes the account for ad hoc SQL as the service's own account, which must be an administrator. One that is there stays as it is. */
export async function makeAnalyst({ clickhouse }: Pick<Config, 'clickhouse'>): Promise<void> {
  const analyst = clickhouse?.analyst
  if (!analyst) throw new UsageError('CLICKHOUSE_URL and CLICKHOUSE_SQL_USER must be set.')
  await throughDefault(clickhouse, async (client) => {
    for (const statement of analystStatements(clickhouse, analyst)) await execute(client, statement)
  })
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
  const { analyst } = clickhouse
  const all = [
    ...statements(['user', reader ? 'reader_grants' : 'writer_grants'], clickhouse, clickhouse),
    ...(analyst ? analystStatements(clickhouse, analyst) : []),
  ]
  return all.map((statement) => `${statement};\n`).join('\n')
}

interface Place {
  database: string
  cluster?: string | undefined
}

interface Account {
  username: string
  password: string
}

/** The statements that make the account for ad hoc SQL, with its limits and its quota, which have the same name. */
export const analystStatements = (place: Place, analyst: Account): string[] =>
  statements(['sql_profile', 'sql_user', 'sql_grants', 'sql_quota'], place, analyst)

function statements(names: string[], { cluster, database }: Place, { username, password }: Account) {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(username)) throw new UsageError(`${username} must be a plain name.`)
  if (password === '') throw new UsageError(`${username} needs a password.`)
  const hash = createHash('sha256').update(password).digest('hex')
  return names.map((name) =>
    textFor(loadSql(`clickhouse/accounts/${name}`), cluster ? { cluster, database } : undefined)
      .replace(/\/\*!.*?\*\//gs, '')
      .replaceAll('$user', username)
      .replaceAll('$hash', hash)
      .replaceAll('$database', database)
      .trim(),
  )
}
