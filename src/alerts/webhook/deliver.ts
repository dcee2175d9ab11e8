import PQueue from 'p-queue'
import type { AlertEntry } from '../../../contract/alerts.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { isDelivered, type SendHook, type Sent } from '../../rules/webhook/send.ts'
import { secretPurpose } from '../../rules/webhook/sign.ts'
import { hookRequest } from './request.ts'

/** Seconds between attempts, about a day in all. The first is longer than an attempt may take. */
const pauses = [30, 300, 1800, 7200, 18_000, 36_000, 36_000]
const mostAttempts = pauses.length + 1

const atOnce = 8
/** Concurrent attempts of one account: unresponsive receivers must not delay other accounts. */
const atOnceOfAccount = 2
/** A call begins no attempt after this time. The next call then starts with all of its concurrency free. */
const longestMs = 20_000

/** A row of alerts/claim. */
interface Claimed {
  id: string
  rule_id: number
  name: string
  source: string | null
  slot: number
  entries: AlertEntry[]
  attempts: number
  account_id: number
  webhook_url: string | null
  webhook_secret_sealed: Buffer | null
}

export interface Hooks {
  postgres: Postgres
  clock: Clock
  vault: Vault
  send: SendHook
}

export interface HooksDelivery {
  delivered: number
  failed: number
}

/**
 * Sends the due messages of webhooks, several at once. An attempt is recorded before it is made, with the time of the next one: a
 * process that dies meanwhile costs the receiver at most one repetition, with the same id. undefined: there was nothing to send.
 */
export async function deliverHooks(hooks: Hooks, stop?: AbortSignal): Promise<HooksDelivery | undefined> {
  const delivery: HooksDelivery = { delivered: 0, failed: 0 }
  const end = performance.now() + longestMs
  const claim = openClaims(hooks.postgres)
  const loop = async () => {
    while (!stop?.aborted && performance.now() < end) {
      const time = hooks.clock.now()
      const claimed = await claim.next(time)
      if (!claimed) return
      const isDone = await deliverOne(hooks, claimed, time).finally(() => claim.end(claimed))
      delivery[isDone ? 'delivered' : 'failed'] += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return delivery.delivered + delivery.failed > 0 ? delivery : undefined
}

/** Claims one message after the other, so that each claim knows the accounts with running attempts. */
function openClaims(postgres: Postgres) {
  const atWork: number[] = []
  const queue = new PQueue({ concurrency: 1 })
  const claim = async (now: number): Promise<Claimed | undefined> => {
    const isBusy = (account: number) => atWork.filter((one) => one === account).length >= atOnceOfAccount
    const query = 'alerts/claim'
    const { rows } = await postgres.query<Claimed>(query, [now, pauses, atWork.filter(isBusy)])
    if (rows[0]) atWork.push(rows[0].account_id)
    return rows[0]
  }
  return {
    next: (now: number): Promise<Claimed | undefined> => queue.add(() => claim(now)),
    end: ({ account_id }: Claimed): void => void atWork.splice(atWork.indexOf(account_id), 1),
  }
}

async function deliverOne({ postgres, vault, send }: Hooks, claimed: Claimed, now: number): Promise<boolean> {
  const { id, attempts, webhook_url: url } = claimed
  const sent = await attempt(vault, send, claimed, Math.floor(now))
  const { status } = sent
  const isGivenUp = status === 410 || url === null || attempts >= mostAttempts
  const outcome = isDelivered(sent) ? 'delivered' : isGivenUp ? 'failed' : 'waiting'
  const note = 'UPDATE alert_messages SET webhook = $2, webhook_status = $3 WHERE id = $1'
  await postgres.query(note, [id, outcome, status])
  // Status 410 (Gone): the receiver wants no further messages.
  if (status === 410) await postgres.query('alerts/gone', [claimed.rule_id, url])
  return isDelivered(sent)
}

async function attempt(vault: Vault, send: SendHook, claimed: Claimed, timestamp: number): Promise<Sent> {
  const {
    id,
    rule_id,
    name,
    source,
    slot,
    entries,
    account_id,
    webhook_url: url,
    webhook_secret_sealed,
  } = claimed
  if (url === null || webhook_secret_sealed === null) return { status: null, reason: 'no_answer' }
  const secret = vault.open(webhook_secret_sealed, secretPurpose(account_id))
  const { headers, body } = hookRequest(
    { rule_id, name, source, slot, entries },
    { url, secret, id, timestamp },
  )
  return send(url, headers, body)
}
