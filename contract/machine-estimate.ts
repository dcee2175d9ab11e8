import { z } from 'zod'
import { named } from './fields.ts'

export const estimate = named('MachineEstimate', { value: z.number(), low: z.number(), high: z.number() })
  .nullable()
  .describe('With its 95 % interval; null: too few observations')
