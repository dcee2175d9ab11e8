import { z } from 'zod'
import { named } from './fields.ts'
import { inOrder, namesFilter, needsMachine, notInOrder } from './history.ts'
import { days, daysFilter } from './price-index.ts'

export const churnQuery = z
  .object({ gpu_name: namesFilter.shape.gpu_name, ...daysFilter.shape })
  .refine(inOrder, notInOrder)

const counts = z.array(z.int())
const known = z.array(z.int().nullable())

const life = z
  .object({
    machines: z.int().describe('Observed stays on the market, one or more per machine'),
    left: z.int().describe('Number of stays that have ended'),
    median_days: z
      .int()
      .nullable()
      .describe('The age by which half have left; null when fewer than half have left'),
    days: counts.describe('Ages in days at which a machine left'),
    share: z.array(z.number()).describe('Share of machines that stay longer (Kaplan–Meier)'),
    low: z.array(z.number()).describe("Lower end of Greenwood's 95 % interval"),
    high: z.array(z.number()),
  })
  .describe('Length of stays, for machines that arrived in the year before `start` or later')
export type Life = z.infer<typeof life>

export const gpuChurn = named('GpuChurn', {
  timestamps: days,
  machines: counts.describe('Machines that were on the market on the day, rented or available'),
  gpus: counts.describe('All GPUs of these machines'),
  arrived: known.describe(
    'Machines of the day that were not on the market in the seven days before. null when one of these days has no snapshot',
  ),
  arrived_gpus: known,
  left: known.describe(
    'Machines of the day that were not on the market in the seven days after. null when one of these days has no snapshot, or is not over',
  ),
  left_gpus: known,
  life: life.nullable().describe('null when more than ten GPU names are asked for'),
})
export type GpuChurn = z.infer<typeof gpuChurn>

export const churnAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuChurn),
})
