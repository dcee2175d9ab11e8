import type { Command } from 'commander'
import { withMarket } from '../command.ts'
import { jsonOption, print } from '../output.ts'
import { fromOption, type RangeOptions, toOption } from '../range-options.ts'
import { marketOption } from '../source-options.ts'

export const rollup = (program: Command) =>
  program
    .command('rollup')
    .description('recompute the derived rows from the observations')
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(marketOption)
    .addOption(jsonOption)
    .requiredOption('--rebuild', 'confirm the recomputation')
    .action(
      withMarket<RangeOptions>(async ({ options, stores }) => {
        const { rebuildSeries } = await import('../../ingest/pending-rollups.ts')
        const { rangeToRebuild } = await import('../../ingest/requested-range.ts')
        const range = await rangeToRebuild(stores.clickhouse, options)
        if (range.to > range.from) await rebuildSeries(stores, range)
        print(options, range, `Recomputed ${range.from} to ${range.to}.`)
      }),
    )
