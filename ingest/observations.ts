import { type ClickHouse, insertLines } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql.ts'

/**
 * Inserts lines of JSONCompactEachRow in the column order of sql/clickhouse/queries/load/insert_observations.sql, as one block:
 * all of them or none. The same token again changes nothing (ClickHouse remembers the newest 1,000 tokens).
 */
export const insertObservations = (clickhouse: ClickHouse, lines: string, token: string): Promise<void> =>
  insertLines(clickhouse, loadSql('clickhouse/queries/load/insert_observations'), {}, lines, {
    insert_deduplication_token: token,
    insert_deduplicate: 1,
    // One block, whatever the size of the body: blocks of one insert are not atomic together.
    max_insert_block_size: '4000000',
    input_format_parallel_parsing: 0,
  })
