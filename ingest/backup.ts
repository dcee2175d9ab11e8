import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { requireRoom } from '../platform/stores/disk.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import type { Stores } from '../platform/stores/stores.ts'

/** A backup on ClickHouse's disk `backups`, of this database. */
export interface Backup {
  database: string
  name: string
}

/**
 * Writes the series to ClickHouse's disk `backups`, while nobody else writes to the series: snapshots that are captured meanwhile wait.
 * Returns the size in bytes. Throws ClickHouse's error when there is a backup of that name, or no such disk, and an error while the disk is nearly full.
 */
export const backUp = ({ postgres, clickhouse }: Stores, backup: Backup): Promise<number> =>
  withAdvisoryLock(postgres, locks.series, async ({ signal }) => {
    await requireRoom(clickhouse)
    return run(clickhouse, { ...backup, what: 'backup', signal })
  })

/**
 * Reads a backup into a database that does not exist, or whose tables are those of the backup and empty. Nobody else creates them or
 * writes to them meanwhile. `clickhouse` must be bound to another database.
 */
export const restore = ({ postgres, clickhouse }: Stores, backup: Backup): Promise<void> =>
  withAdvisoryLock(postgres, locks.migrate, () =>
    withAdvisoryLock(postgres, locks.series, async ({ signal }) => {
      const { database } = backup
      await forgetEmptySchema(clickhouse, database)
      await run(clickhouse, { ...backup, what: 'restore', signal })
      const query = 'backup/replicated_tables'
      // A restore fills one replica of each table.
      for (const { name } of await selectRows<{ name: string }>(clickhouse, query, { database })) {
        const sync = loadSql('clickhouse/queries/backup/sync_replica')
        await execute(clickhouse, sync.replaceAll('$table', `${database}.${name}`))
      }
    }),
  )

/** The list of applied files is the one table with rows in a database without a series. It comes out of the backup, too. */
async function forgetEmptySchema(clickhouse: ClickHouse, database: string): Promise<void> {
  const filled = await selectRows(clickhouse, 'backup/filled_tables', {
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

interface Running extends Backup {
  what: 'backup' | 'restore'
  signal: AbortSignal
}

/** A long series takes hours, so this polls for the state instead of waiting for one request. */
async function run(clickhouse: ClickHouse, { what, database, name, signal }: Running): Promise<number> {
  const statement = loadSql(`clickhouse/queries/backup/${what}`).replaceAll('$database', database)
  const { id } = one(await selectRows<{ id: string }>(clickhouse, statement, { name }))
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    const state = await stateOf(clickhouse, id).catch((error) => {
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
  const query = 'backup/state'
  const [state] = await selectRows<{ status: string; error: string; bytes: number }>(clickhouse, query, {
    id,
  })
  if (!state)
    throw new Error(
      'ClickHouse does not know this backup any more: it was restarted, or another server answers',
    )
  return state
}
