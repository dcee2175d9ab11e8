import type { Command } from 'commander'
import { withConfig } from '../command.ts'

interface AccountsOptions {
  reader?: boolean
  apply?: boolean
}

export const accounts = (program: Command) =>
  program
    .command('accounts')
    .description(
      'print the SQL that creates the configured ClickHouse accounts, for an administrator to run; passwords are hashed',
    )
    .option('--reader', 'let CLICKHOUSE_USER only read, which is enough for `serve`')
    .option('--apply', 'create the account for ad hoc SQL now; CLICKHOUSE_USER must be an administrator')
    .action(
      withConfig<AccountsOptions>(async ({ config, options }) => {
        const { accountStatements, createAnalyst } = await import(
          '../../platform/stores/clickhouse-accounts.ts'
        )
        const { readSources } = await import('../../collect/sources.ts')
        const [, ...others] = readSources(config.sources)
        const sources = others.map(({ name }) => name)
        const address = config.clickhouse && { ...config.clickhouse, sources }
        if (!options.apply) return console.log(accountStatements(address, options))
        await createAnalyst(address)
        console.log('The account for ad hoc SQL exists.')
      }),
    )
