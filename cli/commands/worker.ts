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
        const { listenForProbes, startConfiguredWorkers } = await import('../start-workers.ts')
        const { openStores } = await import('../stores.ts')
        const stores = await openStores(config)
        const metrics = openMetrics()
        const workers = await startConfiguredWorkers(config, stores, metrics)
        const probes = await listenForProbes(config, stores, metrics)
        console.log(`rackrate worker takes a snapshot every ${config.snapshotInterval} s`)
        await untilStopped(async () => {
          await workers.close(config.shutdownTimeoutMs / 3)
          await probes?.close()
          await stores.close()
        }, config.shutdownTimeoutMs)
      }),
    )
