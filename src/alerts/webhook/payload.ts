import type { AlertEntry } from '../../../contract/alerts.ts'

/** The body that a webhook receives for a message. */
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
