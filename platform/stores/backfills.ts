import type { Session } from './postgres.ts'
import { one } from './rows.ts'

const since = async (postgres: Session, what: 'sums' | 'bins'): Promise<number> => {
  const text = 'SELECT coalesce(max(todo_before), 0) AS since FROM backfills WHERE what = $1'
  return one((await postgres.query<{ since: number }>(text, [what])).rows).since
}

/** From when on (unix seconds) the cube has its sums, and the price steps are there; 0: everywhere. */
export const summedSince = (postgres: Session): Promise<number> => since(postgres, 'sums')

/** From when on (unix seconds) the prices of rented GPUs have their bins; 0: everywhere. */
export const binnedSince = (postgres: Session): Promise<number> => since(postgres, 'bins')
