import { expect, inject, vi } from 'vitest'
import type { TestDatabases } from './database.ts'
import { needs } from './needs.ts'

export const hasAdHoc = needs(
  inject('engines').clickhouse.analyst !== undefined,
  'this ClickHouse has no account for ad hoc SQL (an embedded one needs Landlock), so ad hoc SQL is not tested',
)

/** A statement that runs for some 20 s on a core, within the limit of rows. */
export const endless = 'SELECT count() FROM numbers(4900000000) WHERE sipHash64(number) = 1'

type AdHocDatabases = Pick<TestDatabases, 'adHoc'>

/** The ad hoc statements that run on these databases. */
export async function running({ adHoc }: AdHocDatabases): Promise<{ query: string }[]> {
  if (!adHoc) throw new Error('no ad hoc SQL')
  const found = await adHoc.operator.query({
    query:
      'SELECT query FROM system.processes WHERE user <> currentUser() AND current_database = currentDatabase()',
    format: 'JSONEachRow',
  })
  // The answer is an empty line where no engine runs.
  const lines = (await found.text()).split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => JSON.parse(line))
}

/** Waits until the given number of statements run. */
export const begun = (databases: AdHocDatabases, count = 1) =>
  vi.waitFor(async () => expect(await running(databases)).toHaveLength(count), { timeout: 120_000 })

/** Waits until no statement runs. */
export const idle = (databases: AdHocDatabases) => begun(databases, 0)
