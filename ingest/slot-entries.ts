import { type ClickHouse, execute } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'
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
  execute(clickhouse, loadSql('clickhouse/queries/slots/announce'), { ...range, revision })

/** Shows the slots of `range` to readers; the roll-up of the range must be done. */
export const readySlots = (clickhouse: ClickHouse, range: Range, revision: number): Promise<void> =>
  execute(clickhouse, loadSql('clickhouse/queries/slots/show'), { ...range, revision })
