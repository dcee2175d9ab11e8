import { runRules } from '../../src/alerts/run.ts'
import type { Processor } from '../work-context.ts'

/** Evaluates alert rules at the slots that were loaded. */
export const runAlerts: Processor = ({ stopping, ...stores }) => runRules(stores, stopping)
