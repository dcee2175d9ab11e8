import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { keysOf, sshKey } from './keys.ts'

export const listSshKeys: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/ssh',
    {
      config: { permissions: ['user_read'] },
      schema: {
        operationId: 'listSshKeys',
        summary: 'List SSH keys',
        description:
          'The SSH public keys of the account that the key acts for, in the order they were added.',
        tags: ['ssh'],
        response: { 200: z.array(sshKey) },
      },
    },
    ({ caller }) => keysOf(postgres, caller.accountId),
  )
}
