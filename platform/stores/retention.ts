import { execute, selectRows } from './clickhouse.ts'
import type { Session } from './postgres.ts'
import { one } from './rows.ts'
import type { Stores } from './stores.ts'

/** Days that observations are kept; undefined: forever. */
export type Retention = number | undefined

/** Records in PostgreSQL how many days ClickHouse keeps observations. */
export const noteRetention = (postgres: Session, retention: Retention) =>
  postgres.query('retention/change', [retention ?? null])

/** Sets how many days ClickHouse keeps observations from now on. Rows derived from them are kept. */
export async function setRetention({ postgres, clickhouse }: Stores, retention: Retention): Promise<void> {
  // The retention is recorded first, so that no observation is expected that ClickHouse may have dropped.
  await noteRetention(postgres, retention)
  const rows = await selectRows<{ days: number }>(clickhouse, 'retention/now')
  // Setting the same TTL again would make ClickHouse check all parts.
  if (one(rows).days === (retention ?? 0)) return
  if (retention === undefined) return execute(clickhouse, 'retention/remove')
  await execute(clickhouse, 'retention/by_parts')
  await execute(clickhouse, 'retention/set', { days: retention })
}

/** Unix seconds since which every observation is kept; 0: all of them are. */
export async function observedSince(postgres: Session): Promise<number> {
  const { rows } = await postgres.query<{ since: number }>('retention/since')
  return one(rows).since
}
