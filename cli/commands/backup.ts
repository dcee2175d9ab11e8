import type { Command } from 'commander'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'

export const backup = (program: Command) =>
  program
    .command('backup <name>')
    .description(
      'back up the series to the ClickHouse disk `backups`; for PostgreSQL use pg_dump (docs/operations.md)',
    )
    .addOption(jsonOption)
    .action(
      withStores<JsonOption>(async ({ operands: [name = ''], options, stores }) => {
        const { backUp } = await import('../../ingest/backup.ts')
        const { database } = stores.clickhouseAddress
        const bytes = await backUp(stores, { database, name })
        print(options, { name, bytes }, `Wrote ${name}, ${bytes} bytes.`)
      }),
    )
