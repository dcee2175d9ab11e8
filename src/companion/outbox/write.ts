import type pg from 'pg'
import type { Vault } from '../../../platform/security/vault.ts'

export interface Message {
  channel: 'email' | 'sms'
  /** An address or a phone number. */
  recipient: string
  subject: string
  text: string
  /** After so many seconds it's no use any more and is not sent. */
  usefulFor: number
}

/** What a message is sealed for. */
export const sealedFor = 'outbox'

/** Puts a message into the outbox as part of the caller's transaction: sent if that is committed, not if it isn't. */
export async function writeMessage(client: pg.PoolClient, vault: Vault, message: Message): Promise<void> {
  const { channel, recipient, subject, text, usefulFor } = message
  await client.query(
    `INSERT INTO outbox (channel, recipient, sealed, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    [channel, recipient, vault.seal(JSON.stringify({ subject, text }), sealedFor), usefulFor],
  )
}
