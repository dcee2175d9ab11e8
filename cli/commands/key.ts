import { type Command, Option } from 'commander'
import type { KeyForRole } from '../../src/companion/keys/key-for-role.ts'
import { withStores } from '../command.ts'
import { expiry } from '../option-values.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'

const roles = ['host', 'admin', 'user'] as const satisfies readonly KeyForRole['role'][]

export function key(program: Command) {
  const command = program.command('key').description('create and revoke API keys')

  command
    .command('create')
    .description('create an API key; it is shown only once')
    .addOption(new Option('--role <role>', 'role of the account').choices(roles).makeOptionMandatory())
    .option('--email <address>', 'e-mail address of the account (default: a new account)')
    .option('--expires <time>', 'expiry: 2030-01-31, 30d or 12h (default: never)', expiry)
    .addOption(jsonOption)
    .action(
      withStores<KeyForRole & JsonOption>(async ({ options, stores: { postgres } }) => {
        const { createKeyFor } = await import('../../src/companion/keys/key-for-role.ts')
        const made = await createKeyFor(postgres, options)
        print(options, made, `Key ${made.id}: ${made.key}`)
      }),
    )

  command
    .command('revoke <id>')
    .description('revoke an API key by its id or its public prefix, and stop its scheduled jobs')
    .addOption(jsonOption)
    .action(
      withStores<JsonOption>(async ({ operands: [id = ''], options, stores: { postgres } }) => {
        const { revokeKey } = await import('../../platform/security/api-keys.ts')
        const revoked = await revokeKey(postgres, id)
        const jobs = revoked?.stopped_jobs ?? []
        const stopped = jobs.length > 0 ? ` Its scheduled jobs are stopped: ${jobs.join(', ')}.` : ''
        print(
          options,
          { revoked: revoked !== undefined, stopped_jobs: jobs },
          revoked ? `Key ${id} is revoked.${stopped}` : `There is no active key ${id}.`,
        )
        if (!revoked) process.exitCode = 1
      }),
    )
}
