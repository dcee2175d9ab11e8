import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'

/**
 * Runs `work` as the only one that writes to the series. Throws when one of the stores lacks what the other one knows, as it does when it
 * was restored from a backup: to go on would lose slots or double them (docs/operations.md).
 */
export async function writeSeries<T>(
  postgres: Postgres,
  clickhouse: ClickHouse,
  work: () => Promise<T>,
): Promise<T> {
  return withAdvisoryLock(postgres, locks.series, async () => {
    const { rows } = await postgres.query<{ revision: number; slot: number; loaded: number }>(
      loadSql('postgres/queries/series/newest'),
    )
    const { revision = 0, slot = 0, loaded = 0 } = rows[0] ?? {}
    const [series] = await selectRows<{ revision: number; slot: number; shown: number }>(
      clickhouse,
      loadSql('clickhouse/queries/series/newest'),
      { loaded },
    )
    if (series && (series.revision > revision || series.slot > slot))
      throw new Error(mismatch('PostgreSQL is older than ClickHouse'))
    if (loaded > 0 && !series?.shown) throw new Error(mismatch('ClickHouse is older than PostgreSQL'))
    return work()
  })
}

const mismatch = (what: string) =>
  `${what}. If one was restored from a backup, run \`rackrate reconcile\`; else look whether DATABASE_URL and CLICKHOUSE_URL belong together.`
