import type { Command } from 'commander'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { marketOption } from '../source-options.ts'

export const backup = (program: Command) =>
  program
    .command('backup <name>')
    .description(
      'back up the series to the ClickHouse disk `backups`; for PostgreSQL use pg_dump (docs/operations.md)',
    )
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withStores<JsonOption & { source?: string }>(
        async ({ config, operands: [name = ''], options, stores }) => {
          const { backUp } = await import('../../ingest/backup.ts')
          const { backupsOf } = await import('../backups.ts')
          const { inMarket } = await import('../markets.ts')
          const written: { name: string; bytes: number; recorded: boolean }[] = []
          for (const { source, backup } of await backupsOf(stores, name, options.source))
            await inMarket({ config, stores }, source, async (market) => {
              const { database } = market.clickhouseAddress
              written.push({ name: backup, ...(await backUp(market, { database, name: backup })) })
            })
          const [first, ...others] = written
          print(
            options,
            { ...first, ...(others.length > 0 && { others }) },
            written
              .map(
                ({ name, bytes, recorded }) =>
                  `Wrote ${name}, ${bytes} bytes.${recorded ? '' : ' PostgreSQL did not record it, so the page does not show it.'}`,
              )
              .join('\n'),
          )
        },
      ),
    )
