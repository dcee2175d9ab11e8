import type { Command } from 'commander'
import { withConfig } from '../command.ts'

export const worker = (program: Command) =>
  program
    .command('worker')
    .description('run the workers without the API: snapshots, mail and scheduled jobs')
    .action(
      withConfig(async ({ config }) => {
        const { requireMemory } = await import('../memory.ts')
        requireMemory()
        const { openMetrics } = await import('../../platform/http/prometheus.ts')
        const { untilStopped } = await import('../shutdown.ts')
        const { configuredCatalog, configuredSources, openRecordedMarkets } = await import(
          '../site-sources.ts'
        )
        const { closeMarkets } = await import('../markets.ts')
        const { listenForProbes, startConfiguredWorkers } = await import('../start-workers.ts')
        const { openStores } = await import('../stores.ts')
        const sources = configuredSources(config)
        const catalog = configuredCatalog(config)
        const stores = await openStores(config)
        const markets = await openRecordedMarkets(config, stores, sources)
        const metrics = openMetrics()
        // First the probes: the workers wait for Redis, and their state is asked for meanwhile.
        const probes = await listenForProbes(config, stores, { metrics, markets })
        const workers = await startConfiguredWorkers(config, stores, { metrics, sources, markets, catalog })
        const from =
          sources.length > 0 ? ` of ${sources.map(({ source }) => source.name).join(' and of ')}` : ''
        const line = `rackrate worker takes a snapshot${from} every ${config.snapshotInterval} s`
        await untilStopped(
          line,
          async () => {
            await workers.close(config.shutdownTimeoutMs / 2)
            await probes?.close()
            await closeMarkets(markets)
            await stores.close()
          },
          config,
        )
      }),
    )
