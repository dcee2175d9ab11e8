import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { systemClock } from '../system-clock.ts'

export function account(program: Command) {
  const command = program.command('account').description('export and delete accounts')

  command
    .command('export <account>')
    .description(
      'write everything that an account (its id or e-mail address) holds as one JSON document, without secrets',
    )
    .option('--file <path>', 'a new file to write (default: standard output)')
    .action(
      withStores<{ file?: string }>(async ({ operands, options, stores: { postgres } }) => {
        const { exportAccount } = await import('../../src/companion/account/export-account.ts')
        const { dateOf } = await import('../../platform/clock.ts')
        const { id } = await accountOf(postgres, operands[0])
        const given = { account: id, madeAt: dateOf(systemClock).toISOString() }
        const out = options.file
          ? createWriteStream(options.file, { flags: 'wx', mode: 0o600 })
          : process.stdout
        const failed = new AbortController()
        out.on('error', (error) => failed.abort(error))
        await exportAccount(postgres, given, out, failed.signal)
        if (options.file) await finished(out.end())
      }),
    )

  command
    .command('delete <account>')
    .description(
      'delete an account (its id or e-mail address) and what it holds; without --yes, only print which account that is',
    )
    .option('--yes', 'delete it, for good')
    .addOption(jsonOption)
    .action(
      withStores<JsonOption & { yes?: boolean }>(async ({ operands, options, stores: { postgres } }) => {
        const { deleteAccount } = await import('../../src/companion/account/delete-account.ts')
        const { commandLine, transaction } = await import('../../platform/stores/postgres.ts')
        const { id, name } = await accountOf(postgres, operands[0])
        if (!options.yes)
          throw new UsageError(`Account ${id} (${name}) is deleted for good with --yes. Export it first.`)
        const deleted = await transaction(postgres, (client) => deleteAccount(client, id), commandLine)
        const counts = Object.entries(deleted).map(([table, rows]) => `${table} ${rows}`)
        print(
          options,
          { account: id, deleted },
          `Account ${id} (${name}) is deleted. Rows: ${counts.join(', ') || 'none'}.`,
        )
      }),
    )
}

/** The account of an id or an e-mail address. Throws UsageError when there is none. */
async function accountOf(postgres: Postgres, given = '') {
  const { rows } = await postgres.query<{ id: number; name: string }>('account/find', [given])
  if (!rows[0]) throw new UsageError(`There is no account ${given.slice(0, 254)}.`)
  return rows[0]
}
