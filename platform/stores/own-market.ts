import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/** Whether the market is that of this site. Else it is recorded from a source, which shows to everybody what is rented at which price. */
export async function isOwnMarket(postgres: Session): Promise<boolean> {
  const text = 'SELECT NOT EXISTS (SELECT FROM collector) AS is_own'
  return one((await postgres.query<{ is_own: boolean }>(text)).rows).is_own
}
