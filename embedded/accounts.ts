import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// What real servers run (`rackrate accounts`) is read here for users.xml, since the embedded engine can't CREATE USER.
const statement = (name: string): string =>
  readFileSync(require.resolve(`#sql/clickhouse/accounts/${name}.sql`), 'utf8').replace(/^--.*\n/gm, '')

/** What the service's own account, or that for ad hoc SQL, may do in `database`: a GRANT without whom. */
export const grantTo = (account: 'writer' | 'sql', database: string, inCluster: boolean): string =>
  statement(`${account}_grants`)
    .replace(/\/\*!(.*?)\*\//gs, (_, inner: string) =>
      inCluster && !inner.startsWith('ON CLUSTER') ? inner : '',
    )
    .replaceAll('$database', database)
    .replace(/TO \$user\s*$/, '')

/** The settings of the account for ad hoc SQL. */
export const sqlLimits = (): Record<string, string | number> =>
  Object.fromEntries(
    [...statement('sql_profile').matchAll(/^ {2}(\w+) = (?:(\d+)|'(\w+)'),?$/gm)].map(
      ([, name, number, word]) => [name, word ?? Number(number)],
    ),
  )

/** What it may take in an hour. */
export const sqlQuota = (): Record<string, number> =>
  Object.fromEntries(
    [...statement('sql_quota').matchAll(/(\w+) = (\d+)/g)].map(([, name, most]) => [name, Number(most)]),
  )
