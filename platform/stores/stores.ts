import type { ClickHouse } from './clickhouse.ts'
import type { Postgres } from './postgres.ts'

/** Both databases: PostgreSQL has the marketplace and the ledgers, ClickHouse has the series. */
export interface Stores {
  postgres: Postgres
  clickhouse: ClickHouse
}
