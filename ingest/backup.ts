import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'

/**
 * Has ClickHouse write the series to its disk `backups`, while nobody else writes to the series: what is captured meanwhile waits. Returns its
 * size in bytes. Throws ClickHouse's error when there is a backup of that name, or no such disk.
 */
export const backUp = (
  postgres: Postgres,
  clickhouse: ClickHouse,
  database: string,
  name: string,
): Promise<number> =>
  withAdvisoryLock(postgres, locks.series, () => run(clickhouse, 'backup', database, name))

/**
 * Reads a backup into a database that isn't there, or whose tables are those of the backup and empty. Nobody writes to them or makes them
 * meanwhile. `clickhouse` must be bound to another database.
 */
export const restore = (
  postgres: Postgres,
  clickhouse: ClickHouse,
  database: string,
  name: string,
): Promise<void> =>
  withAdvisoryLock(postgres, locks.migrate, () =>
    withAdvisoryLock(postgres, locks.series, async () => {
      await forgetEmptySchema(clickhouse, database)
      await run(clickhouse, 'restore', database, name)
      const tables = await selectRows<{ name: string }>(
        clickhouse,
        loadSql('clickhouse/queries/backup/replicated_tables'),
        { database },
      )
      // Of each table one replica was filled.
      for (const { name: table } of tables)
        await execute(
          clickhouse,
          loadSql('clickhouse/queries/backup/sync_replica').replaceAll('$table', `${database}.${table}`),
        )
    }),
  )

/** The list of applied files is the one table with rows in a database without a series. It comes out of the backup, too. */
async function forgetEmptySchema(clickhouse: ClickHouse, database: string): Promise<void> {
  const filled = await selectRows(clickhouse, loadSql('clickhouse/queries/backup/filled_tables'), {
    database,
  })
  if (filled.length > 0) return
  const text = loadSql('clickhouse/queries/backup/forget_ledger').replaceAll(
    '$table',
    `${database}.migrations`,
  )
  await execute(clickhouse, text)
}

const mostFailures = 60

/** Either takes hours for a long series, so ClickHouse is asked how far it is and not waited for in one request. */
async function run(
  clickhouse: ClickHouse,
  what: 'backup' | 'restore',
  database: string,
  name: string,
): Promise<number> {
  const statement = loadSql(`clickhouse/queries/backup/${what}`).replaceAll('$database', database)
  const [begun] = await selectRows<{ id: string }>(clickhouse, statement, { name })
  for (let failures = 0; ; ) {
    const state = await stateOf(clickhouse, begun?.id ?? '').catch((error) => {
      failures += 1
      if (failures > mostFailures) throw error
    })
    if (state && /FAILED|CANCELLED/.test(state.status))
      throw new Error(state.error.replace(/, Stack trace.*/s, ''))
    if (state && /CREATED|RESTORED/.test(state.status)) return state.bytes
    await pause(failures > 0 ? 1000 : 200)
  }
}

async function stateOf(clickhouse: ClickHouse, id: string) {
  const [state] = await selectRows<{ status: string; error: string; bytes: number }>(
    clickhouse,
    loadSql('clickhouse/queries/backup/state'),
    { id },
  )
  if (!state)
    throw new Error('ClickHouse no longer knows of it: it was started again, or another server answers')
  return state
}
