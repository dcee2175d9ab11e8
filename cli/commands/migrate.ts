import type { Command } from 'commander'
import { withConfig } from '../command.ts'

export const migrate = (program: Command) =>
  program
    .command('migrate')
    .description('upgrade the schema of both databases')
    .action(
      withConfig(async ({ config }) => {
        const { useStores } = await import('../stores.ts')
        await useStores(config, async () => console.log('The schema is up to date.'), { migrateAgain: true })
      }),
    )
