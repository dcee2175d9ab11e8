import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/** Records the seconds by which readers see the newest slots of the site's own market late. All processes read it. */
export const noteMarketDelay = (postgres: Session, seconds: number) =>
  postgres.query('UPDATE market_delay SET seconds = $1 WHERE seconds <> $1', [seconds])

/** The seconds by which readers see the newest slots of a market late; 0: at once, as always in the market of a source, which is public. */
export async function marketDelay(postgres: Session): Promise<number> {
  const text =
    'SELECT CASE WHEN EXISTS (SELECT FROM collector) THEN 0 ELSE seconds END AS seconds FROM market_delay'
  return one((await postgres.query<{ seconds: number }>(text)).rows).seconds
}
