import type { Command } from 'commander'
import { withConfig } from '../command.ts'
import type { SiteStores } from '../stores.ts'

export const migrate = (program: Command) =>
  program
    .command('migrate')
    .description('upgrade the schema of both databases')
    .action(
      withConfig(async ({ config }) => {
        const { useStores } = await import('../stores.ts')
        const { closeMarkets, openMarkets } = await import('../markets.ts')
        const migrateAll = async (stores: SiteStores) => {
          await closeMarkets(await openMarkets(config, stores, { migrateAgain: true }))
          console.log('The schema is up to date.')
        }
        await useStores(config, migrateAll, { migrateAgain: true })
      }),
    )
