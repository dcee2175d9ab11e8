import { z } from 'zod'
import { invalidArgs } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { keysOf, sshKeyAnswer } from './keys.ts'
import { publicKey } from './public-key.ts'

const mostKeys = 200

export const addSshKey: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/ssh',
    {
      config: { permissions: ['user_write'] },
      schema: {
        operationId: 'addSshKey',
        summary: 'Add an SSH key',
        description: `Takes one line in OpenSSH format. Adding a key that the account already has returns that key. An account can have ${mostKeys} keys.`,
        tags: ['ssh'],
        body: z.object({ ssh_key: publicKey }),
        response: { 200: sshKeyAnswer },
      },
    },
    async ({ caller, body }) => {
      const key = await withAccount(companion, caller.accountId, async ({ id, client }) => {
        await client.query('ssh/add', [id, body.ssh_key])
        const keys = await keysOf(client, id)
        if (keys.length > mostKeys) throw invalidArgs(`An account can have at most ${mostKeys} SSH keys`)
        return one(keys.filter(({ public_key }) => public_key === body.ssh_key))
      })
      return { success: true as const, key }
    },
  )
}
