import { randomBytes } from 'node:crypto'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { type ClickHouse, execute } from '../platform/stores/clickhouse.ts'
import { analystStatements } from '../platform/stores/clickhouse-accounts.ts'

/** Creates an account for ad hoc SQL with a settings profile and a quota. The account of the tests needs the right to create accounts. */
export async function createAnalyst(
  clickhouse: ClickHouse,
  server: ClickHouseServer,
): Promise<NonNullable<ClickHouseServer['analyst']>> {
  const username = `test_${randomBytes(6).toString('hex')}_sql`
  const analyst = { username, password: randomBytes(16).toString('hex'), url: server.url }
  try {
    for (const statement of analystStatements(server, analyst)) await execute(clickhouse, statement)
    return analyst
  } catch (error) {
    await dropAnalyst(clickhouse, analyst).catch(() => {}) // without the right to create it there is nothing to drop
    throw error
  }
}

export async function dropAnalyst(clickhouse: ClickHouse, { username }: { username: string }): Promise<void> {
  for (const kind of ['USER', 'SETTINGS PROFILE', 'QUOTA'])
    await execute(clickhouse, `DROP ${kind} IF EXISTS ${username}`)
}
