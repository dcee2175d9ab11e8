import type { Command } from 'commander'
import { UsageError } from '../../platform/usage-error.ts'
import { withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'

export function vault(program: Command) {
  const command = program.command('vault').description('change the key that encrypts secrets')

  command
    .command('rotate')
    .description(
      'encrypt all secrets with ENCRYPTION_KEY that were encrypted with ENCRYPTION_KEY_PREVIOUS (docs/operations.md)',
    )
    .addOption(jsonOption)
    .action(
      withStores<JsonOption>(async ({ config, options, stores }) => {
        if (config.previousEncryptionKey === undefined)
          throw new UsageError('Set ENCRYPTION_KEY_PREVIOUS to the key to replace.')
        const { rotate } = await import('../../src/vault/rotate.ts')
        const rotation = await rotate(stores.postgres, stores.vault)
        const unreadable = Object.entries(rotation.unreadable)
        const lines = [`Encrypted ${rotation.resealed} values with the new key.`]
        if (rotation.late > 0)
          lines.push(
            `A process still encrypts with the previous key (${rotation.late} values). Restart all processes with the new key as ENCRYPTION_KEY, then run this again.`,
          )
        for (const [column, count] of unreadable)
          lines.push(`Neither key decrypts ${count} values of ${column}. They stay as they are.`)
        print(options, rotation, lines.join('\n'))
        if (rotation.late > 0 || unreadable.length > 0) process.exitCode = 1
      }),
    )
}
