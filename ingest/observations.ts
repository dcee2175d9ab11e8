import { Readable } from 'node:stream'
import type { ClickHouse } from '../src/platform/clickhouse.ts'
import { loadSql } from '../src/platform/sql.ts'

/**
 * Inserts lines of JSONCompactEachRow in the column order of sql/clickhouse/queries/insert_observations.sql, as one block:
 * all of them or none. The same token again changes nothing (ClickHouse remembers the newest 1,000 tokens).
 */
export async function insertObservations(
  clickhouse: ClickHouse,
  lines: string,
  token: string,
): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: loadSql('clickhouse/queries/insert_observations'),
    values: Readable.from([lines], { objectMode: false }),
    clickhouse_settings: {
      insert_deduplication_token: token,
      insert_deduplicate: 1,
      async_insert: 0,
      wait_end_of_query: 1,
      // One block, whatever the size of the body: blocks of one insert are not atomic together.
      max_insert_block_size: '1000000',
      input_format_parallel_parsing: 0,
    },
  })
  stream.resume()
  await new Promise((done, failed) => stream.once('end', done).once('error', failed))
}
