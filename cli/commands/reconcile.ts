import type { Command } from 'commander'
import { withStores } from '../command.ts'
import { jsonOption } from '../output.ts'
import { acceptLossOption, printReconciled, type ReconcileOptions } from '../print-reconciled.ts'

export const reconcile = (program: Command) =>
  program
    .command('reconcile')
    .description('make PostgreSQL and ClickHouse agree after one or both were restored from a backup')
    .addOption(acceptLossOption)
    .addOption(jsonOption)
    .action(
      withStores<ReconcileOptions>(async ({ options, stores }) => {
        const { reconcile } = await import('../../ingest/reconcile.ts')
        printReconciled(options, await reconcile(stores, options))
      }),
    )
