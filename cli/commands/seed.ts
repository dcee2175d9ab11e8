import type { Command } from 'commander'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'

export const seed = (program: Command) =>
  program
    .command('seed')
    .description(
      'create demo accounts for every operation (a host, a renter with an instance, a team) and print new API keys for them',
    )
    .addOption(jsonOption)
    .action(
      withStores<JsonOption>(async ({ options, stores: { postgres, vault } }) => {
        const { seedAccounts, seedKeys } = await import('../../src/companion/demo/accounts.ts')
        const seeded = await seedAccounts(postgres, vault)
        const result = { ...seeded, keys: await seedKeys(postgres, seeded) }
        print(options, result, JSON.stringify(result, null, 2))
      }),
    )
