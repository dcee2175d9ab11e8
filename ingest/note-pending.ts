import type { Session } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import type { Derivation } from './rollup.ts'

/** Records a range for finishPendingRollups, in this process or another one. Returns the id of the record. */
export async function notePending(
  postgres: Session,
  { from, to, rebuild = false }: Derivation,
): Promise<number> {
  const { rows } = await postgres.query<{ id: number }>(
    'INSERT INTO pending_rollups (from_slot, to_slot, rebuild) VALUES ($1, $2, $3) RETURNING id',
    [from, to, rebuild],
  )
  return one(rows).id
}
