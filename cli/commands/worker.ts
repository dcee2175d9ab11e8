import type { Command } from 'commander'
import { withConfig } from '../command.ts'

export const worker = (program: Command) =>
  program
    .command('worker')
    .description('run the workers without the API: snapshots, mail and scheduled jobs')
    .action(
      withConfig(async ({ config }) => {
        const { openMetrics } = await import('../../platform/http/prometheus.ts')
        const { untilStopped } = await import('../shutdown.ts')
        const { configuredSource, keepSiteTo } = await import('../site-source.ts')
        const { listenForProbes, startConfiguredWorkers } = await import('../start-workers.ts')
        const { openStores } = await import('../stores.ts')
        const source = configuredSource(config)
        const stores = await openStores(config)
        await keepSiteTo(stores, source)
        const metrics = openMetrics()
        const workers = await startConfiguredWorkers(config, stores, { metrics, source })
        const probes = await listenForProbes(config, stores, metrics)
        const from = source ? ` of ${source.name}` : ''
        console.log(`rackrate worker takes a snapshot${from} every ${config.snapshotInterval} s`)
        await untilStopped(async () => {
          await workers.close(config.shutdownTimeoutMs / 3)
          await probes?.close()
          await stores.close()
        }, config.shutdownTimeoutMs)
      }),
    )
