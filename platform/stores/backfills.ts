import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/** The time (unix seconds) from which on this release has computed the derived rows. A worker computes the earlier ones (ingest/fill-past.ts). 0: all. */
export async function filledSince(postgres: Session): Promise<number> {
  const text = 'SELECT coalesce(max(todo_before), 0) AS since FROM backfills'
  return one((await postgres.query<{ since: number }>(text)).rows).since
}
