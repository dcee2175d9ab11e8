import { codeOf, toError } from '../../../contract/failure.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import type { Carrier } from './carriers.ts'
import { sealedFor } from './write.ts'

interface Waiting {
  id: number
  message_id: string
  channel: 'email' | 'sms'
  recipient: string
  sealed: Buffer
}

export interface Delivery {
  sent: number
  /** Error codes of the messages that stay. The error's text is left out, since it may name the recipient. */
  failed: string[]
}

/**
 * Sends the messages in the outbox that are due. A message's row is locked while it is sent, so several processes can deliver at
 * the same time, and a process that dies releases it. A message is sent at least once, always with the same id. undefined: there
 * was nothing to send.
 */
export async function deliver(
  postgres: Postgres,
  vault: Vault,
  carriers: Record<'email' | 'sms', Carrier>,
  signal?: AbortSignal,
): Promise<Delivery | undefined> {
  await postgres.query('outbox/erase')
  const delivery: Delivery = { sent: 0, failed: [] }
  while (!signal?.aborted) {
    const result = await deliverOne(postgres, vault, carriers)
    if (!result) break
    if (result.failed) delivery.failed.push(result.failed)
    else delivery.sent += 1
  }
  return delivery.sent + delivery.failed.length > 0 ? delivery : undefined
}

const deliverOne = (postgres: Postgres, vault: Vault, carriers: Record<'email' | 'sms', Carrier>) =>
  transaction(postgres, async (client): Promise<{ failed?: string } | undefined> => {
    const { rows } = await client.query<Waiting>('outbox/next')
    const [waiting] = rows
    if (!waiting) return undefined
    const { id, message_id, channel, recipient, sealed } = waiting
    try {
      const { subject, text } = JSON.parse(vault.open(sealed, sealedFor))
      await carriers[channel]({ id: message_id, recipient, subject, text })
    } catch (error) {
      await client.query('outbox/retry_later', [id])
      return { failed: codeOf(error) ?? toError(error).name }
    }
    await client.query('UPDATE outbox SET sent_at = rackrate_now(), sealed = NULL WHERE id = $1', [id])
    return {}
  })
