import { type Command, Option } from 'commander'
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
        const tables = await copySeries(stores, {
          from: options.from,
          to: stores.clickhouseAddress.database,
          onTable: ({ table, rows }) => console.error(`${table}: ${rows} rows`),
        })
        print(options, { tables }, `${tables.length} tables are copied and equal.`)
      }),
    )
