import { z } from 'zod'
import { named } from './fields.ts'
import { needsMachine, timestamps } from './history.ts'

const marks = z.array(z.boolean().nullable())

export const gpuThin = named('GpuThin', {
  timestamps,
  rented_thin: marks.describe(
    'true: the rented prices of the bucket come from fewer than 5 machines or fewer than 3 hosts. null: none was rented, or observations of that time are no longer kept',
  ),
  avail_thin: marks.describe('The same for the available prices'),
})
export type GpuThin = z.infer<typeof gpuThin>

export const thinAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuThin),
})
