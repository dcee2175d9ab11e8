import type { Account } from '../context.ts'
import { type CountedMessage, refuseBeyondLimits } from './limits.ts'

export interface Message extends CountedMessage {
  channel: 'email' | 'sms'
  subject: string
  text: string
  /** Seconds after which the message expires and is no longer sent. */
  usefulFor: number
}

/** The vault purpose of messages. */
export const sealedFor = 'outbox'

/** Puts a message into the outbox. It is sent once the transaction is committed. Throws 429 when too many were sent. */
export async function writeMessage(
  { client, vault }: Pick<Account, 'client' | 'vault'>,
  message: Message,
): Promise<void> {
  const { kind, sender, channel, recipient, subject, text, usefulFor } = message
  await refuseBeyondLimits(client, message)
  const sealed = vault.seal(JSON.stringify({ subject, text }), sealedFor)
  await client.query('outbox/write', [channel, recipient, sealed, usefulFor, kind, sender])
}
