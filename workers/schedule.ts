import { advance } from './processors/advance.ts'
import { captureSlot } from './processors/capture.ts'
import { deliverMessages } from './processors/deliver.ts'
import { queueDueRuns } from './processors/due-runs.ts'
import { loadSlots } from './processors/load.ts'
import { purgeExpired } from './processors/purge.ts'
import type { Processor } from './work-context.ts'

/**
 * What runs when, in UTC; the first field of a pattern is the second. Each job looks for work to do, so a job that comes late, twice or not
 * at all does no harm. One second past the minute leaves room for clocks that differ: the database's clock decides the slot.
 */
export const schedules = {
  capture: { pattern: '1 * * * * *', processor: captureSlot },
  load: { pattern: '16,46 * * * * *', processor: loadSlots },
  advance: { pattern: '31 * * * * *', processor: advance },
  deliver: { pattern: '*/10 * * * * *', processor: deliverMessages },
  jobs: { pattern: '1 * * * * *', processor: queueDueRuns },
  forget: { pattern: '41 13 * * * *', processor: purgeExpired },
} satisfies Record<string, { pattern: string; processor: Processor }>

export type QueueName = keyof typeof schedules
export const queueNames = Object.keys(schedules) as QueueName[]
