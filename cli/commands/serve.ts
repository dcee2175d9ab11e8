import { type Command, Option } from 'commander'
import type { ServiceName } from '../api.ts'
import { withConfig } from '../command.ts'

export const serve = (program: Command) =>
  program
    .command('serve')
    .description('run the API without workers')
    .addOption(
      new Option('--only <service>', 'run one of the two services').choices(['metrics', 'companion']),
    )
    .action(
      withConfig<{ only?: ServiceName }>(async ({ config, options: { only } }) => {
        const { requireMemory } = await import('../memory.ts')
        requireMemory()
        const { listen } = await import('../api.ts')
        const { closeMarkets, openMarkets } = await import('../markets.ts')
        const { untilStopped } = await import('../shutdown.ts')
        const { openStores } = await import('../stores.ts')
        const stores = await openStores(config)
        const markets = only === 'companion' ? [] : await openMarkets(config, stores)
        const listening = await listen(config, stores, { only, markets })
        const line = `rackrate serves ${only ?? 'metrics and companion'} at ${listening.url}`
        await untilStopped(
          line,
          async () => {
            await listening.close()
            await closeMarkets(markets)
            await stores.close()
          },
          config,
        )
      }),
    )
