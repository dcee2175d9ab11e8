import type { AlertEntry } from '../../../contract/alerts.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { payloadOf } from './payload.ts'
import type { SendHook, Sent } from './send.ts'
import { secretPurpose, signedHeaders } from './sign.ts'

/** Seconds from an attempt to the next one, about a day in all. The first is longer than an attempt may take. */
const pauses = [30, 300, 1800, 7200, 18_000, 36_000, 36_000]
const mostAttempts = pauses.length + 1

const atOnce = 4

/** A row of alerts/claim.sql. */
interface Claimed {
  id: string
  rule_id: number
  name: string
  slot: number
  entries: AlertEntry[]
  attempts: number
  account_id: number
  webhook_url: string | null
  webhook_secret_sealed: Buffer | null
}

export interface Hooks {
  postgres: Postgres
  vault: Vault
  send: SendHook
}

export interface HooksDelivery {
  delivered: number
  failed: number
}

/**
 * Sends the messages that wait for a webhook and are due, some at once. An attempt is noted before it is made, with the time of the next one:
 * a process that dies meanwhile costs the receiver at most a repetition, with the same id. undefined: there was nothing to send.
 */
export async function deliverHooks(
  hooks: Hooks,
  stop?: AbortSignal,
  now: () => number = () => Date.now() / 1000,
): Promise<HooksDelivery | undefined> {
  const delivery: HooksDelivery = { delivered: 0, failed: 0 }
  const loop = async () => {
    while (!stop?.aborted) {
      const isDelivered = await deliverOne(hooks, now())
      if (isDelivered === undefined) return
      delivery[isDelivered ? 'delivered' : 'failed'] += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return delivery.delivered + delivery.failed > 0 ? delivery : undefined
}

async function deliverOne({ postgres, vault, send }: Hooks, now: number): Promise<boolean | undefined> {
  const { rows } = await postgres.query<Claimed>(loadSql('postgres/queries/alerts/claim'), [now, pauses])
  const [claimed] = rows
  if (!claimed) return undefined
  const { id, attempts, webhook_url: url } = claimed
  const { status } = await attempt(vault, send, claimed, Math.floor(now))
  const isDelivered = status !== null && status >= 200 && status < 300
  const isGivenUp = status === 410 || url === null || attempts >= mostAttempts
  const outcome = isDelivered ? 'delivered' : isGivenUp ? 'failed' : 'waiting'
  await postgres.query(loadSql('postgres/queries/alerts/note_attempt'), [id, outcome, status])
  // Gone: the receiver wants nothing more.
  if (status === 410) await postgres.query(loadSql('postgres/queries/alerts/gone'), [claimed.rule_id, url])
  return isDelivered
}

async function attempt(vault: Vault, send: SendHook, claimed: Claimed, timestamp: number): Promise<Sent> {
  const { id, rule_id, name, slot, entries, account_id, webhook_url, webhook_secret_sealed } = claimed
  if (webhook_url === null || webhook_secret_sealed === null) return { status: null, reason: 'no_answer' }
  const secret = vault.open(webhook_secret_sealed, secretPurpose(account_id))
  const body = payloadOf({ rule_id, name, slot, entries })
  return send(webhook_url, signedHeaders(secret, { id, timestamp, body }), body)
}
