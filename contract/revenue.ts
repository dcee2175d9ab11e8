import { z } from 'zod'
import { named } from './fields.ts'
import { needsMachine, timestamps } from './history.ts'
import { rentedReason } from './rented-reason.ts'

const figures = z.array(z.number().nullable())

export const gpuRevenue = named('GpuRevenue', {
  timestamps,
  revpag: figures.describe(
    'Revenue per available GPU: the prices of the rented GPUs divided by all GPUs on the market, USD per GPU-hour. null: no GPU was on the market, or `reason`',
  ),
  adr: figures.describe(
    'The mean price of the rented GPUs, USD per GPU-hour. null: none was rented, or `reason`',
  ),
  occupancy: figures.describe(
    'Share of the GPUs on the market that were rented, 0 to 1. null: no GPU was on the market, or `no_rentals_known`',
  ),
  reason: z.array(rentedReason),
  slots: z.array(z.int()).describe('Market snapshots in the bucket'),
})
export type GpuRevenue = z.infer<typeof gpuRevenue>

export const revenueAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuRevenue),
})
