import { type ClickHouse, execute } from '../src/platform/clickhouse.ts'
import type { Postgres } from '../src/platform/postgres.ts'
import { loadSql } from '../src/platform/sql.ts'
import type { Range } from './rollup.ts'

/** The next version for rows of the series. Ask for it right before the statement that uses it: the newest must win. */
export async function nextRevision(postgres: Postgres): Promise<number> {
  const { rows } = await postgres.query<{ revision: number }>(`SELECT nextval('revisions') AS revision`)
  return rows[0]?.revision ?? Number.NaN
}

/** Enters one slot in the ledger of the series, also when nothing was on the market. */
export async function markSlot(
  clickhouse: ClickHouse,
  { slot, source, observations }: { slot: number; source: string; observations: number },
  ready: boolean,
  revision: number,
): Promise<void> {
  await clickhouse.insert({
    table: 'slots',
    values: [{ slot, source, observations, ready, revision }],
    format: 'JSONEachRow',
  })
}

/** Enters the slots that the observations of `range` belong to, hidden until readySlots. */
export const announceSlots = (clickhouse: ClickHouse, range: Range, revision: number): Promise<void> =>
  execute(clickhouse, loadSql('clickhouse/queries/announce_slots'), { ...range, revision })

/** Shows the slots of `range` to readers; the roll-up of the range must be done. */
export const readySlots = (clickhouse: ClickHouse, range: Range, revision: number): Promise<void> =>
  execute(clickhouse, loadSql('clickhouse/queries/ready_slots'), { ...range, revision })
