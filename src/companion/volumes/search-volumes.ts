import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import { type ColumnFilter, type Columns, filtersOn, orderOn } from '../../../contract/search.ts'
import type { CompanionRoute } from '../context.ts'

/** Fields that official clients read and rackrate does not record. */
const unknownFields = {
  cuda_max_good: null,
  cpu_ghz: null,
  disk_bw: null,
  disk_name: null,
  driver_version: null,
  inet_up: null,
  inet_down: null,
  reliability: null,
  score: null,
}
const unknownShape = Object.fromEntries(
  Object.keys(unknownFields).map((name) => [name, z.null().describe('Not recorded')]),
)

const offer = named('VolumeOffer', {
  id: z.int().describe('Id of the listing'),
  machine_id: z.int(),
  disk_space: z.int().describe('GB that are free'),
  storage_cost: z.number().describe('USD per GB and month'),
  storage_total_cost: z.number().describe('USD per month for `allocated_storage`'),
  end_date: epochOut,
  duration: z.number().describe('Seconds until then'),
  verification: z.string(),
  verified: z.boolean(),
  external: z.literal(false),
  hosting_type: z.string(),
  geolocation: z.string().nullable(),
  num_gpus: z.int().describe('GPUs of the machine'),
  gpu_name: z.string(),
  ...unknownShape,
})

const columns = {
  ...(Object.fromEntries(Object.keys(unknownFields).map((name) => [name, 'number'])) as Columns),
  id: 'number',
  machine_id: 'number',
  disk_space: 'number',
  storage_cost: 'number',
  storage_total_cost: 'number',
  end_date: 'number',
  duration: 'number',
  verification: 'text',
  verified: 'boolean',
  external: 'boolean',
  hosting_type: 'text',
  geolocation: 'text',
  num_gpus: 'number',
  gpu_name: 'text',
  disk_name: 'text',
} satisfies Columns

const defaults: Record<string, object> = {
  verified: { eq: true },
  external: { eq: false },
  disk_space: { gte: 1 },
}

const controls = z.object({
  order: orderOn(columns).nullish().describe('`[["storage_cost", "asc"]]`. Only the first counts'),
  limit: z.int().min(1).max(1000).nullish().describe('Default 64'),
  allocated_storage: z.number().min(0).max(1_000_000).nullish().describe('GB, for prices. Default 1'),
})

/** All other fields of the body are filters. */
const body = controls.loose().transform(({ order, limit, allocated_storage, ...others }, context) => {
  const conditions = Object.entries({ ...defaults, ...others }).filter(
    ([, value]) => typeof value === 'object' && value !== null,
  )
  const parsed = filtersOn(columns).safeParse(Object.fromEntries(conditions))
  if (!parsed.success)
    for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message })
  const filters: ColumnFilter[] = parsed.data ?? []
  return { filters, order: order?.[0], limit: limit ?? 64, gigabytes: allocated_storage ?? 1 }
})

export const searchVolumes: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/volumes/search',
    {
      config: { permissions: ['instance_read', 'user_read', 'misc'] },
      schema: {
        operationId: 'searchVolumes',
        summary: 'Search volume listings',
        description: `The listings of all hosts that are not hidden, on machines that are online. Each field of the body besides \`order\`, \`limit\` and
\`allocated_storage\` is a filter, such as \`"disk_space": {"gte": "100"}\`; null removes a default. Defaults: \`verified\` true, \`external\` false,
\`disk_space\` at least 1. Fields that rackrate does not record are null, and no value passes a filter on them.`,
        tags: ['volumes'],
        body,
        response: { 200: z.object({ success: z.literal(true), offers: z.array(offer) }) },
      },
    },
    async ({ body: { filters, order, limit, gigabytes } }) => {
      const { rows } = await postgres.query<{ offer: z.infer<typeof offer> }>('volumes/search', [
        JSON.stringify(filters),
        order?.col ?? 'storage_cost',
        order?.dir === 'desc',
        limit,
        gigabytes,
      ])
      return { success: true as const, offers: rows.map(({ offer }) => ({ ...offer, ...unknownFields })) }
    },
  )
}
