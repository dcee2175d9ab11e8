import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import type { CompanionRoute } from '../context.ts'

/** Fields that official clients read and rackrate does not record. */
const unknownFields = {
  cluster_id: null,
  label: null,
  disk_name: null,
  driver_version: null,
  inet_up: null,
  inet_down: null,
  reliability2: null,
}
const unknownShape = Object.fromEntries(
  Object.keys(unknownFields).map((name) => [name, z.null().describe('Not recorded')]),
)

const volume = named('RentedVolume', {
  id: z.int(),
  machine_id: z.int(),
  disk_space: z.int().describe('GB'),
  storage_cost: z.number().describe('USD per GB and month'),
  start_date: epochOut,
  end_date: epochOut,
  status: z.literal('active'),
  verification: z.string(),
  geolocation: z.string().nullable(),
  instances: z.array(z.int()).describe('Always empty: not recorded'),
  ...unknownShape,
})

export const listRentedVolumes: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/volumes',
    {
      config: { permissions: ['instance_read'] },
      schema: {
        operationId: 'listRentedVolumes',
        summary: 'List rented volumes',
        description:
          'The volumes that the account rents now. All of them are local volumes. Fields that rackrate does not record are null.',
        tags: ['volumes'],
        querystring: z.object({
          type: z.enum(['all_volume', 'local_volume', 'network_volume']).default('all_volume'),
        }),
        response: { 200: z.object({ success: z.literal(true), volumes: z.array(volume) }) },
      },
    },
    async ({ caller, query: { type } }) => {
      if (type === 'network_volume') return { success: true as const, volumes: [] }
      const { rows } = await postgres.query<z.infer<typeof volume>>('volumes/rented', [caller.accountId])
      const volumes = rows.map((row) => ({
        ...row,
        ...unknownFields,
        status: 'active' as const,
        instances: [],
      }))
      return { success: true as const, volumes }
    },
  )
}
