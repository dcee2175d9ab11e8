import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/**
 * Data that upgrades added to the series, and that a worker computes for the past: the sums of the cube with the price steps, the
 * cube's figures of a bucket's last slot (its thin marks, and the median price of available GPUs), and sizes of memory.
 */
export type Addition = 'sums' | 'last_slot' | 'memory'

/** The time (unix seconds) since which an addition is complete; 0: everywhere. */
export async function filledSince(postgres: Session, what: Addition): Promise<number> {
  const text = 'SELECT coalesce(max(todo_before), 0) AS since FROM backfills WHERE what = $1'
  return one((await postgres.query<{ since: number }>(text, [what])).rows).since
}
