import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import type { ColumnFilter, Columns, Cursor } from '../../../contract/search.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

/** Fields that official clients read and rackrate does not record. */
const unknownFields = {
  gpu_util: null,
  disk_usage: null,
  disk_util: null,
  image_uuid: null,
  template_id: null,
  template_name: null,
  inet_up: null,
  inet_down: null,
  ssh_host: null,
  ssh_port: null,
  status_msg: null,
  internet_up_cost_per_tb: null,
  internet_down_cost_per_tb: null,
}

const unknownShape = Object.fromEntries(
  Object.keys(unknownFields).map((name) => [name, z.null().describe('Not recorded')]),
)

export const instance = named('Instance', {
  id: z.int(),
  machine_id: z.int(),
  actual_status: z.string(),
  label: z.null().describe('Instances have no labels'),
  num_gpus: z.int(),
  gpu_name: z.string(),
  gpu_ram: z.int().describe('MB per GPU'),
  disk_space: z.int().describe('GB'),
  dph_total: z.number().describe('USD per hour for its GPUs'),
  start_date: epochOut,
  end_date: epochOut.describe(
    "The agreed end; without one, the end of the machine's listing, else one year from now",
  ),
  verification: z.string(),
  geolocation: z.string().nullable(),
  extra_env: z.array(z.tuple([z.string(), z.string()])).describe('Always empty: not recorded'),
  volume_info: z.array(z.unknown()).describe('Always empty: not recorded'),
  ...unknownShape,
})
export type Instance = z.infer<typeof instance>

/** Columns for filters and the order of instances. */
export const instanceColumns = {
  id: 'number',
  machine_id: 'number',
  actual_status: 'text',
  label: 'text',
  num_gpus: 'number',
  gpu_name: 'text',
  disk_space: 'number',
  dph_total: 'number',
  start_date: 'number',
  end_date: 'number',
  verification: 'text',
  geolocation: 'text',
} satisfies Columns

export interface InstanceSearch {
  instanceId?: number
  filters?: ColumnFilter[]
  column?: string
  descending?: boolean
  after?: Cursor | undefined
  limit: number
}

/** The instances of an account that match a search, and the number of matches on all pages. */
export async function searchInstances(
  postgres: Postgres,
  accountId: number,
  { instanceId, filters = [], column = 'id', descending = false, after, limit }: InstanceSearch,
): Promise<{ instances: Instance[]; total: number }> {
  const { rows } = await postgres.query<{ instance: Instance; total: number }>('instances/search', [
    accountId,
    instanceId ?? null,
    JSON.stringify(filters),
    column,
    descending,
    after?.id ?? null,
    after ? JSON.stringify(after.value) : null,
    limit,
  ])
  const instances = rows.map(({ instance }) => ({
    ...instance,
    ...unknownFields,
    extra_env: [],
    volume_info: [],
  }))
  return { instances, total: rows[0]?.total ?? 0 }
}
