import { z } from 'zod'
import { named } from '../../../contract/fields.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

/** Fields that official clients read and rackrate does not record. */
const unknownFields = {
  driver_version: null,
  public_ipaddr: null,
  num_reports: null,
  inet_up: null,
  inet_down: null,
}

const unknownShape = Object.fromEntries(
  Object.keys(unknownFields).map((name) => [name, z.null().describe('Not recorded')]),
)

export const machine = named('Machine', {
  id: z.int(),
  machine_id: z.int().describe('The same as `id`'),
  num_gpus: z.int(),
  gpu_name: z.string(),
  gpu_ram: z.int().describe('MB per GPU'),
  disk_space: z.int().describe('GB'),
  hostname: z.string().describe('Always empty: not recorded'),
  verification: z.enum(['verified', 'unverified', 'deverified']),
  hosting_type: z.string(),
  geolocation: z.string().nullable(),
  listed: z.boolean(),
  listed_gpu_cost: z.number().nullable().describe('USD per GPU-hour; null: not listed'),
  end_date: z.number().nullable().describe('Unix seconds: end of the listing'),
  min_bid_price: z.number().nullable().describe('USD per GPU-hour; null, as below: not known, or not listed'),
  credit_discount_max: z.number().nullable().describe('0 to 1'),
  listed_storage_cost: z.number().nullable().describe('USD per GB and month'),
  listed_inet_up_cost: z.number().nullable().describe('USD per GB'),
  listed_inet_down_cost: z.number().nullable().describe('USD per GB'),
  reliability2: z.number().nullable().describe('0 to 1'),
  timeout: z.int().nullable().describe('0: online. null: offline, and since when is not recorded'),
  total_flops: z.number().nullable().describe('TFLOPS of the machine'),
  dlperf: z.number().nullable().describe('Score of the machine'),
  gpu_occupancy: z
    .string()
    .describe('One letter for each GPU: D on demand, R reserved, I interruptible, x free'),
  current_rentals_running: z.int(),
  current_rentals_resident: z.int(),
  current_rentals_on_demand: z.int(),
  current_rentals_running_on_demand: z.int(),
  ...unknownShape,
})
export type Machine = z.infer<typeof machine>

interface MachinesQuery {
  machineId?: number | undefined
  /** Only machines with a greater id. */
  after?: number | undefined
  limit: number
}

/** Machines of an account in the order of their ids, and their total number. */
export async function ownMachines(
  postgres: Postgres,
  accountId: number,
  { machineId, after = 0, limit }: MachinesQuery,
): Promise<{ machines: Machine[]; total: number }> {
  const { rows } = await postgres.query<Machine & { total: number }>('machines/own', [
    accountId,
    machineId ?? null,
    after,
    limit,
  ])
  const machines = rows.map(({ total: _, ...row }) => ({
    ...row,
    ...unknownFields,
    machine_id: row.id,
    hostname: '',
  }))
  return { machines, total: rows[0]?.total ?? 0 }
}
