import { z } from 'zod'
import { epochOut, named } from './fields.ts'
import { gpuHistory, needsMachine } from './history.ts'

const { supply_demand, pricing } = gpuHistory.shape
export const officialHistory = named('OfficialHistory', { supply_demand, pricing })
export type OfficialHistory = z.infer<typeof officialHistory>

export const officialAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  before: epochOut
    .nullable()
    .describe('The first own slot: charts show official aggregates before it only. null: there is none yet'),
  step: z.int().describe('Seconds between points'),
  gpus: z.record(z.string(), officialHistory),
})
