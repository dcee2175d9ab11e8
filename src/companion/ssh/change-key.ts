import { z } from 'zod'
import { id, idOf } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { keysOf, sshKeyAnswer } from './keys.ts'
import { publicKey } from './public-key.ts'

export const changeSshKey: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/ssh/:id',
    {
      config: {
        permissions: ['user_write'],
        errors: {
          400: '`invalid_args`: the account has the new key already, or it is malformed',
          404: 'The account has no such SSH key: `not_found`',
        },
      },
      schema: {
        operationId: 'changeSshKey',
        summary: 'Change an SSH key',
        description: 'Replaces the text of a key. Its id stays.',
        tags: ['ssh'],
        params: z.object({ id: z.string() }),
        body: z.object({ id: id.nullish().describe('The same id as in the path'), ssh_key: publicKey }),
        response: { 200: sshKeyAnswer },
      },
    },
    async ({ caller, params, body }) => {
      const keyId = idOf(params.id)
      if (body.id && body.id !== keyId) throw invalidArgs('id differs from the id in the path')
      const key = await withAccount(companion, caller.accountId, async (account) => {
        const keys = await keysOf(account.client, account.id)
        if (!keys.some((one) => one.id === keyId)) throw notFound('There is no such SSH key')
        if (keys.some((one) => one.id !== keyId && one.public_key === body.ssh_key))
          throw invalidArgs('The account already has this SSH key')
        await account.client.query('ssh/change', [account.id, keyId, body.ssh_key])
        return one((await keysOf(account.client, account.id)).filter((one) => one.id === keyId))
      })
      return { success: true as const, key }
    },
  )
}
