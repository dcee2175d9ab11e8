import type { Command } from 'commander'
import { UsageError } from '../../platform/usage-error.ts'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { type SourceOptions, sourceMapOption, sourceOption } from '../source-options.ts'

interface CollectOptions extends JsonOption, SourceOptions {
  accept?: boolean
}

export const collect = (program: Command) =>
  program
    .command('collect')
    .description("take the current slot from the site's source now, unless it was asked for this slot before")
    .addOption(sourceOption)
    .addOption(sourceMapOption)
    .option('--accept', 'ask in any case, and take a far smaller market, or the same market at a new address')
    .addOption(jsonOption)
    .action(
      withStores<CollectOptions>(async ({ config, options, stores }) => {
        const { collect } = await import('../../collect/collect.ts')
        const { keepToSource } = await import('../../collect/site-source.ts')
        const { currentSlot } = await import('../../ingest/capture.ts')
        const { loadAll } = await import('../../ingest/load.ts')
        const { configuredSource } = await import('../site-source.ts')
        const { accept = false } = options
        const source = configuredSource(config, options)
        if (!source) throw new UsageError('Say with --source or SOURCES where the market comes from.')
        await keepToSource(stores.postgres, source, { replace: accept })
        const interval = config.snapshotInterval
        const slot = await currentSlot(stores.postgres, interval)
        const taken = await collect(stores.postgres, source, { slot, interval, accept })
        await loadAll(stores)
        const text = taken
          ? `Took slot ${slot} from ${source.name}: ${taken.observations} observations${taken.unchanged ? ', as before' : ''}.`
          : `${source.name} was asked for slot ${slot} already, or is to be left alone for now.`
        print(options, { slot, taken: taken !== undefined, ...taken }, text)
      }),
    )
