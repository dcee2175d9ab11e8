import type { AlertEntry } from '../../../contract/alerts.ts'

/** What a webhook gets of a message. */
export function payloadOf(
  message: {
    rule_id: number
    name: string
    source: string | null
    slot: number
    entries: readonly AlertEntry[]
  },
  type = message.entries.some(({ what }) => what === 'fired') ? 'alert.fired' : 'alert.resolved',
): string {
  return JSON.stringify({ type, timestamp: new Date(message.slot * 1000).toISOString(), data: message })
}
