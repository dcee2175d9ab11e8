import type { Command } from 'commander'
import type { ClickHouseAddress } from '../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { withConfig } from '../command.ts'
import { jsonOption } from '../output.ts'
import { acceptLossOption, printReconciled, type ReconcileOptions } from '../print-reconciled.ts'
import { marketOption } from '../source-options.ts'
import type { MarketStores, SiteStores } from '../stores.ts'

export const restore = (program: Command) =>
  program
    .command('restore <name>')
    .description(
      'restore the series from a backup and reconcile; the ClickHouse database must be missing, or its tables empty',
    )
    .addOption(marketOption)
    .addOption(acceptLossOption)
    .addOption(jsonOption)
    .action(
      withConfig<ReconcileOptions & { source?: string }>(
        async ({ config, operands: [name = ''], options }) => {
          const { isFirstSource } = await import('../../collect/sources.ts')
          const { reconcile } = await import('../../ingest/reconcile.ts')
          const { backupsOf } = await import('../backups.ts')
          const { inMarket } = await import('../markets.ts')
          const { useStores } = await import('../stores.ts')
          const prepare = async (postgres: Postgres, address: ClickHouseAddress) => {
            if (options.source === undefined || (await isFirstSource(postgres, options.source)))
              await readBackup(postgres, address, name)
          }
          const restoreAll = async (site: SiteStores) => {
            for (const { source, backup } of await backupsOf(site, name, options.source)) {
              const read = (postgres: Postgres, address: ClickHouseAddress) =>
                readBackup(postgres, address, backup)
              const finish = async (market: MarketStores) =>
                printReconciled(options, await reconcile(market, options))
              await inMarket({ config, stores: site }, source, finish, read)
            }
          }
          await useStores(config, restoreAll, { prepare })
        },
      ),
    )

/** Reads a backup before the schema of its database is brought up to date. */
async function readBackup(postgres: Postgres, address: ClickHouseAddress, name: string): Promise<void> {
  const { restore } = await import('../../ingest/backup.ts')
  const { throughDefault } = await import('../../platform/stores/migrate.ts')
  const { database } = address
  await throughDefault(address, (clickhouse) => restore({ postgres, clickhouse }, { database, name }))
}
