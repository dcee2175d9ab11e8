import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouse, selectRows } from '../src/platform/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../src/platform/postgres.ts'
import { loadSql } from '../src/platform/sql.ts'

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

/** Reads a backup into a database without tables, or with empty ones of the same kind. `clickhouse` must be bound to another one. */
export const restore = (clickhouse: ClickHouse, database: string, name: string): Promise<number> =>
  run(clickhouse, 'restore', database, name)

/** Either takes hours for a long series, so ClickHouse is asked how far it is and not waited for in one request. */
async function run(
  clickhouse: ClickHouse,
  what: 'backup' | 'restore',
  database: string,
  name: string,
): Promise<number> {
  const statement = loadSql(`clickhouse/queries/${what}`).replaceAll('$database', database)
  const [begun] = await selectRows<{ id: string }>(clickhouse, statement, { name })
  while (true) {
    const [state] = await selectRows<{ status: string; error: string; bytes: number }>(
      clickhouse,
      loadSql('clickhouse/queries/backup_state'),
      { id: begun?.id ?? '' },
    )
    if (!state) throw new Error(`ClickHouse no longer knows of this ${what}: it was started again`)
    if (/FAILED|CANCELLED/.test(state.status)) throw new Error(state.error.replace(/, Stack trace.*/s, ''))
    if (/CREATED|RESTORED/.test(state.status)) return state.bytes
    await pause(200)
  }
}
