import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { requireRoom } from '../platform/stores/disk.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import type { Stores } from '../platform/stores/stores.ts'

/** A backup of this database on ClickHouse's disk `backups`. */
export interface Backup {
  database: string
  name: string
}

/**
 * Writes the series to ClickHouse's disk `backups`. No other process writes to the series meanwhile: captured snapshots wait.
 * Returns the size in bytes. A whole backup does not fail because PostgreSQL, of an older schema for example, does not record it.
 * Throws ClickHouse's error when a backup of that name exists or the disk does not, and an error while the disk is nearly full.
 */
export const backUp = (
  { postgres, clickhouse }: Stores,
  backup: Backup,
): Promise<{ bytes: number; recorded: boolean }> =>
  withAdvisoryLock(postgres, locks.series, async ({ signal }) => {
    await requireRoom(clickhouse)
    const bytes = await run(clickhouse, { ...backup, what: 'backup', signal })
    const note = postgres.query('health/note_backup', [backup.name, bytes])
    const recorded = await note.then(
      () => true,
      () => false,
    )
    return { bytes, recorded }
  })

/**
 * Reads a backup into a database that does not exist, or that has only the backup's tables, all empty. No other process may
 * create or write these tables meanwhile. `clickhouse` must be bound to another database.
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

/** A database without a series has rows in one table only: the list of applied files. The backup contains that list, too. */
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

/** A long series takes hours, so the state is polled. A single request would time out. */
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
