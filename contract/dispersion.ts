import { z } from 'zod'
import { named } from './fields.ts'
import { needsMachine, timestamps } from './history.ts'

const figures = z.array(z.number().nullable())

export const gpuDispersion = named('GpuDispersion', {
  timestamps,
  dispersion: figures.describe(
    '(p90 − p10) ÷ median of the available prices in the bucket. null: no GPU was available',
  ),
  volatility_24h: figures.describe(
    'Root of the sum of squared changes of ln(hourly median) over the 24 hours that end with the bucket. null when one of the medians is missing',
  ),
  volatility_7d: figures.describe('The same over seven days'),
})
export type GpuDispersion = z.infer<typeof gpuDispersion>

export const dispersionAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  gpus: z.record(z.string(), gpuDispersion),
})
