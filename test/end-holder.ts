import { locks, type Postgres } from '../platform/stores/postgres.ts'

/** Ends the session that holds the lock of the series. Returns true if there was one. */
export async function endHolder(postgres: Postgres): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND objid = $1 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [locks.series],
  )
  return rowCount === 1
}
