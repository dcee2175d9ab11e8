import { successId } from '../../../contract/fields.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { connectionsOf } from './connections.ts'
import { sealCredentials } from './credentials.ts'
import { connectionBody } from './providers.ts'

const mostConnections = 50

export const saveCloudConnection: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/users/cloud_integrations',
    {
      config: { permissions: ['user_write'] },
      schema: {
        operationId: 'saveCloudConnection',
        summary: 'Save a cloud connection',
        description: `The credentials are the options of an rclone remote of this type. They are stored encrypted and given only to the host that runs a copy.
A connection of the same name is replaced. An account can have ${mostConnections} connections.`,
        tags: ['cloud'],
        body: connectionBody,
        response: { 200: successId },
      },
    },
    async ({ caller, body }) => {
      const sealed = sealCredentials(companion.vault, caller.accountId, body.credentials)
      const id = await withAccount(companion, caller.accountId, async (account) => {
        const connections = await connectionsOf(account.client, account.id)
        const same = connections.find(({ name }) => name === body.name)
        if (same) {
          const replace = 'cloud/replace'
          await account.client.query(replace, [same.id, body.cloud_type, sealed])
          return same.id
        }
        if (connections.length >= mostConnections)
          throw invalidArgs(`An account can have at most ${mostConnections} cloud connections`)
        const { rows } = await account.client.query<{ id: number }>('cloud/create', [
          account.id,
          body.name,
          body.cloud_type,
          sealed,
        ])
        return one(rows).id
      })
      return { success: true as const, id }
    },
  )
}
