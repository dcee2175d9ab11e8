import { type Command, Option } from 'commander'
import type { ShardRows } from '../../ingest/place-names.ts'
import { withMarket } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { marketOption } from '../source-options.ts'

interface CopyOptions extends JsonOption {
  from: string
}

const fromOption = new Option('--from <database>', 'the ClickHouse database that has the series')

export const copy = (program: Command) =>
  program
    .command('copy')
    .description(
      'copy the series from another ClickHouse database into the empty one of CLICKHOUSE_DATABASE, such as one on more shards',
    )
    .addOption(fromOption.makeOptionMandatory())
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<CopyOptions>(async ({ options, stores }) => {
        const { copySeries } = await import('../../ingest/copy-series.ts')
        const { shardBalance } = await import('../../ingest/place-names.ts')
        const tables = await copySeries(stores, {
          from: options.from,
          to: stores.clickhouseAddress.database,
          onTable: ({ table, rows }) => console.error(`${table}: ${rows} rows`),
        })
        const shards = await shardBalance(stores.clickhouse)
        const text = [`${tables.length} tables are copied and equal.`, ...balanceLines(shards)].join('\n')
        print(options, { tables, shards }, text)
      }),
    )

/** A line for each shard: its observations, and their multiple of its share by weight. */
function balanceLines(shards: readonly ShardRows[]): string[] {
  const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
  const rowsPerWeight = sumOf(shards.map(({ rows }) => rows)) / sumOf(shards.map(({ weight }) => weight))
  return shards.map(({ shard, weight, rows }) => {
    const multiple = rowsPerWeight > 0 ? rows / (rowsPerWeight * weight) : 1
    return `Shard ${shard}: ${rows} observations, ${multiple.toFixed(2)} times its share.`
  })
}
