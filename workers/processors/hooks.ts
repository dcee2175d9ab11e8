import { deliverHooks } from '../../src/alerts/webhook/deliver.ts'
import type { Processor } from '../work-context.ts'

/** Sends alerts to webhooks. */
export const deliverAlerts: Processor = ({ postgres, vault, sendHook, stopping }) =>
  deliverHooks({ postgres, vault, send: sendHook }, stopping)
