import { z } from 'zod'
import { id, successMessage } from '../../../contract/fields.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'

export const unlistVolume: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/volumes/unlist',
    {
      config: {
        permissions: ['instance_write', 'machine_write'],
        errors: {
          400: '`invalid_args`: the account has no such live listing, or some of it is rented',
        },
      },
      schema: {
        operationId: 'unlistVolume',
        summary: 'End a volume listing',
        description:
          'The machine no longer offers volumes. A listing with a rented volume cannot end; hide it instead.',
        tags: ['volumes'],
        body: z.object({ id: id.describe('The id of the listing') }),
        response: { 200: successMessage },
      },
    },
    async ({ caller, body }) => {
      await transaction(postgres, async (client) => {
        const found = await client.query('volumes/lock_listing', [caller.accountId, body.id])
        if (found.rowCount === 0) throw invalidArgs('No such volume listing for your account')
        const ended = await client.query('volumes/unlist', [body.id])
        if (ended.rowCount === 0) throw invalidArgs('A volume of this listing is rented')
      })
      return { success: true as const, msg: 'The volume listing has ended.' }
    },
  )
}
