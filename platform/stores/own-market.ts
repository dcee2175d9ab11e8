import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/** True if the market is this site's own. Other markets are recorded from a source, where rental prices are public. */
export async function isOwnMarket(postgres: Session): Promise<boolean> {
  const text = 'SELECT NOT EXISTS (SELECT FROM collector) AS is_own'
  return one((await postgres.query<{ is_own: boolean }>(text)).rows).is_own
}
