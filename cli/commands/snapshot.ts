import type { Command } from 'commander'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'

export const snapshot = (program: Command) =>
  program
    .command('snapshot')
    .description(
      "capture the current slot of the site's own marketplace now, unless it was captured before, and load it",
    )
    .addOption(jsonOption)
    .action(
      withStores<JsonOption>(async ({ config, options, stores }) => {
        const { keepToSource } = await import('../../collect/site-source.ts')
        const { takeSnapshot } = await import('../../ingest/take-snapshot.ts')
        await keepToSource(stores.postgres, undefined)
        const result = await takeSnapshot(stores, config.snapshotInterval)
        const untilNext = Math.ceil(result.slot + config.snapshotInterval - stores.clock.now())
        const text = result.taken
          ? `Captured slot ${result.slot} with ${result.observations} observations.`
          : `Slot ${result.slot} was captured before. The next one is in ${untilNext} s.`
        print(options, result, text)
      }),
    )
