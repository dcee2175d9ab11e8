import { type ClickHouse, execute } from '../platform/stores/clickhouse.ts'

/** Gives derived tables the rows that an older release stored: the rows that a statement selects from the present ones, by table. */
export async function replaceRows(clickhouse: ClickHouse, rowsOf: Record<string, string>): Promise<void> {
  for (const [table, rows] of Object.entries(rowsOf)) {
    await execute(clickhouse, `CREATE TABLE old_${table} ENGINE = MergeTree ORDER BY tuple() AS ${rows}`)
    await execute(clickhouse, `TRUNCATE TABLE ${table}/*!_local ON CLUSTER $cluster*/`)
    await execute(clickhouse, `INSERT INTO ${table} SELECT * FROM old_${table}`)
  }
}
