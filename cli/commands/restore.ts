import type { Command } from 'commander'
import { withConfig } from '../command.ts'
import { jsonOption } from '../output.ts'
import { acceptLossOption, printReconciled, type ReconcileOptions } from '../print-reconciled.ts'

export const restore = (program: Command) =>
  program
    .command('restore <name>')
    .description(
      'restore the series from a backup and reconcile; the ClickHouse database must be missing, or its tables empty',
    )
    .addOption(acceptLossOption)
    .addOption(jsonOption)
    .action(
      withConfig<ReconcileOptions>(async ({ config, operands: [name = ''], options }) => {
        const { restore } = await import('../../ingest/backup.ts')
        const { reconcile } = await import('../../ingest/reconcile.ts')
        const { throughDefault } = await import('../../platform/stores/migrate.ts')
        const { useStores } = await import('../stores.ts')
        const result = await useStores(config, (stores) => reconcile(stores, options), {
          prepare: (postgres, address) =>
            throughDefault(address, (clickhouse) =>
              restore({ postgres, clickhouse }, { database: address.database, name }),
            ),
        })
        printReconciled(options, result)
      }),
    )
