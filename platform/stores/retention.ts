import { type ClickHouse, execute, selectRows } from './clickhouse.ts'
import type { Postgres } from './postgres.ts'
import { loadSql } from './sql.ts'

/** Days that observations are kept; undefined: for ever. */
export type Retention = number | undefined

/** Has Postgres know for how long ClickHouse keeps observations. */
export const noteRetention = (postgres: Postgres, retention: Retention) =>
  postgres.query(loadSql('postgres/queries/retention/change'), [retention ?? null])

/** Has ClickHouse keep observations for so long, from now on. Whatever is derived from them stays. */
export async function setRetention(
  postgres: Postgres,
  clickhouse: ClickHouse,
  retention: Retention,
): Promise<void> {
  // Noted first: nothing may be gone that is believed to be there.
  await noteRetention(postgres, retention)
  const [now] = await selectRows<{ days: number }>(clickhouse, loadSql('clickhouse/queries/retention/now'))
  // To set a TTL again has ClickHouse look through all parts.
  if (now?.days === (retention ?? 0)) return
  if (retention === undefined) return execute(clickhouse, loadSql('clickhouse/queries/retention/remove'))
  await execute(clickhouse, loadSql('clickhouse/queries/retention/by_parts'))
  await execute(clickhouse, loadSql('clickhouse/queries/retention/set'), { days: retention })
}

/** From when on (unix seconds) every observation is still there; 0: from the first on. */
export async function observedSince(postgres: Postgres): Promise<number> {
  const { rows } = await postgres.query<{ since: number }>(loadSql('postgres/queries/retention/since'))
  return rows[0]?.since ?? 0
}
