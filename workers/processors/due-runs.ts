import { dueRuns } from '../../src/companion/schedule/execute.ts'
import type { Processor } from '../work-context.ts'

/** Queues a run of each user's job that is due. */
export const queueDueRuns: Processor = async ({ postgres, clock, queueRun }) => {
  const due = await dueRuns(postgres, clock.now())
  for (const run of due) await queueRun(run)
  return due.length
}
