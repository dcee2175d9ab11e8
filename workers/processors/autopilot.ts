import { runAutopilot } from '../../src/autopilot/run.ts'
import type { Processor } from '../work-context.ts'

/** Decides on the prices of own machines at the slots that were loaded, and carries out what was decided. */
export const runPrices: Processor = async ({ stopping, wake, ...stores }) => {
  const decisions = await runAutopilot(stores, stopping)
  if (decisions > 0) await wake('deliver')
  return decisions
}
