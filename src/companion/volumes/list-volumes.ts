import { z } from 'zod'
import { epochOut, idOf, named } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'

const volumeListing = named('VolumeListing', {
  id: z.int(),
  machine_id: z.int(),
  user_id: z.int(),
  size: z.int().describe('GB offered'),
  price_disk: z.number().describe('USD per GB and month'),
  hidden_listing: z.boolean(),
  end_date: epochOut,
  created_at: epochOut,
  rented: z.int().describe('GB of the listing that are rented'),
})

export const listVolumes: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/machines/:id/volumes',
    {
      config: {
        permissions: ['machine_read', 'instance_read'],
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'listMachineVolumes',
        summary: 'List the volumes of a machine',
        description: 'The active volume listings of a machine of the account, including hidden ones.',
        tags: ['volumes'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true), volumes: z.array(volumeListing) }) },
      },
    },
    async ({ caller, params }) => {
      const { rows } = await postgres.query<z.infer<typeof volumeListing> & { id: number | null }>(
        'volumes/listings',
        [caller.accountId, idOf(params.id)],
      )
      if (rows.length === 0) throw notFound('There is no such machine')
      return { success: true as const, volumes: rows.filter(({ id }) => id !== null) }
    },
  )
}
