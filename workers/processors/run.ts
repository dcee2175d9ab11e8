import { performRun, run } from '../../src/companion/schedule/execute.ts'
import type { Processor } from '../work-context.ts'

/** Performs one run of a user's job. */
export const performQueuedRun: Processor = (context, data) => performRun(context, run.parse(data))
