import { createHash } from 'node:crypto'
import { databaseOf } from '../../contract/sources.ts'
import { UsageError } from '../usage-error.ts'
import { type ClickHouseAddress, execute } from './clickhouse.ts'
import { throughDefault } from './migrate.ts'
import { loadSql, textFor } from './sql-files.ts'

interface Account {
  username: string
  password: string
}

interface Place {
  database: string
  cluster?: string | undefined
  /** The names of all sources except the first: each has a database of its own. */
  sources?: readonly string[]
}

/** A ClickHouse server and the account for ad hoc SQL that the configuration names. */
export type ClickHouseAccounts = ClickHouseAddress &
  Pick<Place, 'sources'> & { analyst?: Account | undefined }

/** Creates the account for ad hoc SQL. The service's own account must be an administrator. An existing account is not changed. */
export async function createAnalyst(address: ClickHouseAccounts | undefined): Promise<void> {
  const analyst = address?.analyst
  if (!analyst) throw new UsageError('CLICKHOUSE_URL and CLICKHOUSE_SQL_USER must be set.')
  await throughDefault(address, async (client) => {
    for (const statement of analystStatements(address, analyst)) await execute(client, statement)
  })
}

/**
 * The statements that create the configured accounts of ClickHouse, for an administrator to run. Passwords are hashed. With `reader`
 * the service's own account can only read. Throws UsageError for names that would need quoting.
 */
export function accountStatements(
  address: ClickHouseAccounts | undefined,
  { reader = false }: { reader?: boolean },
): string {
  if (!address)
    throw new UsageError('CLICKHOUSE_URL is not set. The embedded engine already has its accounts.')
  const all = [
    ...statements(['user', reader ? 'reader_grants' : 'writer_grants'], address, address),
    ...(address.analyst ? analystStatements(address, address.analyst) : []),
  ]
  return all.map((statement) => `${statement};\n`).join('\n')
}

/** The statements that create the account for ad hoc SQL, with a settings profile and a quota of the same name. */
export const analystStatements = (place: Place, analyst: Account): string[] =>
  statements(['ad_hoc_profile', 'ad_hoc_user', 'ad_hoc_grants', 'ad_hoc_quota'], place, analyst)

function statements(
  names: string[],
  { cluster, database, sources = [] }: Place,
  { username, password }: Account,
) {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(username)) throw new UsageError(`${username} must be a plain name.`)
  if (password === '') throw new UsageError(`${username} needs a password.`)
  const hash = createHash('sha256').update(password).digest('hex')
  const statement = (name: string, granted: string) =>
    textFor(loadSql(`clickhouse/accounts/${name}`), cluster ? { cluster, database: granted } : undefined)
      .replace(/\/\*!.*?\*\//gs, '')
      .replaceAll('$user', username)
      .replaceAll('$hash', hash)
      .replaceAll('$database', granted)
      .trim()
  const databases = [database, ...sources.map((source) => databaseOf(database, source))]
  return names.flatMap((name) =>
    name.endsWith('_grants') ? databases.map((one) => statement(name, one)) : [statement(name, database)],
  )
}
