import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/**
 * What upgrades added to the series, and a worker computes for the past: the sums of the cube with the price steps, the bins of rented prices,
 * what the cube says of the last slot of a bucket (its thin marks, and the median price of what was available), and sizes of memory.
 */
export type Addition = 'sums' | 'bins' | 'last_slot' | 'memory'

/** From when on (unix seconds) an addition is there; 0: everywhere. */
export async function filledSince(postgres: Session, what: Addition): Promise<number> {
  const text = 'SELECT coalesce(max(todo_before), 0) AS since FROM backfills WHERE what = $1'
  return one((await postgres.query<{ since: number }>(text, [what])).rows).since
}
