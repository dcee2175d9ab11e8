import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { one } from '../../../platform/stores/rows.ts'

/** The days that are read from machine_days, by their starts. */
export interface WholeDays {
  days_from: number
  days_to: number
}

/** The days of a range whose rows in machine_days are current: all of them, or the last ones. */
export async function readWholeDays(
  clickhouse: ClickHouse,
  { from: since, to: until }: { from: number; to: number },
): Promise<WholeDays> {
  if (since >= until) return { days_from: until, days_to: until }
  const rows = await selectRows<{ since: number }>(clickhouse, 'days/whole_since', { since, until })
  return { days_from: one(rows).since, days_to: until }
}
