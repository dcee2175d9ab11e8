import { deliverHooks } from '../../src/alerts/webhook/deliver.ts'
import type { Processor } from '../work-context.ts'

/** Sends alerts to webhooks. */
export const deliverAlerts: Processor = ({ postgres, clock, vault, sendHook, stopping }) =>
  deliverHooks({ postgres, clock, vault, send: sendHook }, stopping)
