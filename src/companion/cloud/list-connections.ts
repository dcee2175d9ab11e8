import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { connection, connectionsOf } from './connections.ts'

export const listCloudConnections: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/users/cloud_integrations',
    {
      config: { permissions: ['user_read'] },
      schema: {
        operationId: 'listCloudConnections',
        summary: 'List cloud connections',
        description: 'In the order they were created, without their credentials.',
        tags: ['cloud'],
        response: { 200: z.array(connection) },
      },
    },
    ({ caller }) => connectionsOf(postgres, caller.accountId),
  )
}
