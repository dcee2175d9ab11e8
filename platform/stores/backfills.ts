import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/** From when on (unix seconds) the cube has its sums, and the price steps are there; 0: everywhere. */
export async function summedSince(postgres: Session): Promise<number> {
  const { rows } = await postgres.query<{ since: number }>(
    `SELECT coalesce(max(todo_before), 0) AS since FROM backfills WHERE what = 'sums'`,
  )
  return one(rows).since
}
