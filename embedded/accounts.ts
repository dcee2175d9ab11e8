import { availableParallelism } from 'node:os'
import { sqlTexts } from '../sql/texts.ts'

// Reads a statement of `rackrate accounts`, which real servers run. Here it goes into users.xml, since the embedded engine cannot
// CREATE USER.
function statement(name: string): string {
  const text = sqlTexts.get(`clickhouse/accounts/${name}`)
  if (text === undefined) throw new Error(`there is no sql/clickhouse/accounts/${name}.sql`)
  return text.replace(/^--.*\n/gm, '')
}

/** The rights in `database` of the service's own account, or of the account for ad hoc SQL: a GRANT without its TO. */
export const grantTo = (account: 'writer' | 'ad_hoc', database: string, inCluster: boolean): string =>
  statement(`${account}_grants`)
    .replace(/\/\*!(.*?)\*\//gs, (_, inner: string) =>
      inCluster && !inner.startsWith('ON CLUSTER') ? inner : '',
    )
    .replaceAll('$database', database)
    .replace(/TO \$user\s*$/, '')

/** The settings of the account for ad hoc SQL. */
export const sqlLimits = (): Record<string, string | number> =>
  Object.fromEntries(
    [...statement('ad_hoc_profile').matchAll(/^ {2}(\w+) = (?:(\d+)|'(\w*)'),?$/gm)].map(
      ([, name, number, word]) => [name, word ?? Number(number)],
    ),
  )

/** These settings for a process with the given memory limit. */
export function adHocLimits(memoryBytes: number): Record<string, string | number> {
  const limits = sqlLimits()
  const atMost = (name: string, most: number) => Math.min(Number(limits[name]), Math.floor(most))
  return {
    ...limits,
    max_memory_usage: atMost('max_memory_usage', memoryBytes * 0.5),
    max_memory_usage_for_user: atMost('max_memory_usage_for_user', memoryBytes * 0.6),
    max_threads: Math.max(1, atMost('max_threads', availableParallelism() / 2)),
  }
}
