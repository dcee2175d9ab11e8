import type { AlertEntry } from '../../../contract/alerts.ts'
import { chatServiceOf } from '../../../contract/chat-services.ts'
import { signedHeaders } from '../../rules/webhook/sign.ts'
import { linesOf } from '../message-text.ts'
import { chatBodies } from './chat-bodies.ts'

/** The messages of a rule at a slot, as a receiver gets them. */
interface HookMessage {
  rule_id: number
  name: string
  source: string | null
  slot: number
  entries: readonly AlertEntry[]
}

interface Attempt {
  url: string
  secret: string
  /** The id of the message: the same at every attempt. */
  id: string
  /** Unix seconds: the time of the attempt. */
  timestamp: number
  type?: 'alert.fired' | 'alert.resolved' | 'alert.test'
}

/** The request that brings a message to the address of a rule: text for a chat service, else signed JSON. */
export function hookRequest(
  message: HookMessage,
  { url, secret, id, timestamp, type = typeOf(message) }: Attempt,
): { headers: Record<string, string>; body: string } {
  const chat = chatServiceOf(url)
  if (chat) return { headers: {}, body: chatBodies[chat](linesOf(message).join('\n')) }
  const time = new Date(message.slot * 1000).toISOString()
  const body = JSON.stringify({ type, timestamp: time, data: message })
  return { headers: signedHeaders(secret, { id, timestamp, body }), body }
}

const typeOf = ({ entries }: HookMessage) =>
  entries.some(({ what }) => what === 'fired') ? 'alert.fired' : 'alert.resolved'
