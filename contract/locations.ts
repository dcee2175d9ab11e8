import { z } from 'zod'
import { named } from './fields.ts'
import { needsMachine } from './history.ts'

const degrees = z.number().nullable()

export const location = named('GpuLocation', {
  gpu_name: z.string(),
  city: z.string().describe('City or region; empty when unknown'),
  country_code: z.string().describe('ISO 3166 alpha-2; empty when unknown'),
  num_gpus: z.int().describe('GPUs in this state at this place'),
  rented: z.boolean().describe('true: rented; false: available. A partly rented machine counts in two rows'),
  verified: z.boolean(),
  datacenter: z.boolean().describe('Machines of hosting type `secure_cloud`'),
  latitude: degrees.describe('Degrees, at most four decimals; null when unknown'),
  longitude: degrees,
})
export type Location = z.infer<typeof location>

export const locationsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  locations: z.array(location),
})
