import { loadSql } from '../../../platform/stores/sql.ts'
import type { Account } from '../context.ts'

export interface Message {
  channel: 'email' | 'sms'
  /** An address or a phone number. */
  recipient: string
  subject: string
  text: string
  /** Seconds after which the message is useless and is not sent any more. */
  usefulFor: number
}

/** The purpose that messages are sealed for (Vault). */
export const sealedFor = 'outbox'

/** Puts a message into the outbox. It is sent once the transaction is committed. */
export async function writeMessage(
  { client, vault }: Pick<Account, 'client' | 'vault'>,
  message: Message,
): Promise<void> {
  const { channel, recipient, subject, text, usefulFor } = message
  const sealed = vault.seal(JSON.stringify({ subject, text }), sealedFor)
  await client.query(loadSql('postgres/queries/outbox/write'), [channel, recipient, sealed, usefulFor])
}
