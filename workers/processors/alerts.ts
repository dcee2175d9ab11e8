import { runRules } from '../../src/alerts/run.ts'
import type { Processor } from '../work-context.ts'

/** Evaluates alert rules at the slots that were loaded. */
export const runAlerts: Processor = async ({ stopping, wake, ...stores }) => {
  const messages = await runRules(stores, stopping)
  if (messages > 0) await Promise.all([wake('deliver'), wake('hooks')])
  return messages
}
