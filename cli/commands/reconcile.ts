import type { Command } from 'commander'
import { withMarket } from '../command.ts'
import { jsonOption } from '../output.ts'
import { acceptLossOption, printReconciled, type ReconcileOptions } from '../print-reconciled.ts'
import { marketOption } from '../source-options.ts'

export const reconcile = (program: Command) =>
  program
    .command('reconcile')
    .description('make PostgreSQL and ClickHouse agree after one or both were restored from a backup')
    .addOption(acceptLossOption)
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<ReconcileOptions>(async ({ options, stores }) => {
        const { reconcile } = await import('../../ingest/reconcile.ts')
        printReconciled(options, await reconcile(stores, options))
      }),
    )
