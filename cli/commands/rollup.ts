import type { Command } from 'commander'
import { withStores } from '../command.ts'
import { jsonOption, print } from '../output.ts'
import { fromOption, type RangeOptions, toOption } from '../range-options.ts'

export const rollup = (program: Command) =>
  program
    .command('rollup')
    .description('recompute the derived rows from the observations')
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(jsonOption)
    .requiredOption('--rebuild', 'confirm the recomputation')
    .action(
      withStores<RangeOptions>(async ({ options, stores }) => {
        const { rebuildSeries } = await import('../../ingest/rollup.ts')
        const { rangeToRebuild } = await import('../../ingest/requested-range.ts')
        const range = await rangeToRebuild(stores.clickhouse, options)
        if (range.to > range.from) await rebuildSeries(stores, range)
        print(options, range, `Recomputed ${range.from} to ${range.to}.`)
      }),
    )
