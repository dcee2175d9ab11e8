import type pg from 'pg'
import { ApiError } from '../../../platform/errors.ts'

export type MessageKind = 'email code' | 'sms code' | 'invitation' | 'alert' | 'sign-in'

/** The properties of a message that limits depend on. */
export interface CountedMessage {
  kind: MessageKind
  /** The account that causes the message: a person. null: the request had no key. */
  sender: number | null
  /** An address or a phone number. */
  recipient: string
  /** True if the sender has proved to hold the recipient's address or phone. */
  isOwn: boolean
}

interface Limit {
  most: number
  hours: number
}

interface Limits {
  /** The error code of the 429. */
  error: string
  perSender: Limit[]
  perRecipient: Limit[]
}

const perPhone = [
  { most: 5, hours: 1 },
  { most: 10, hours: 24 },
]

// An e-mail code goes only to the account's own address, and src/companion/tfa/challenge.ts limits their number.
const limits: Record<MessageKind, Limits> = {
  'email code': { error: 'too_many_requests', perSender: [], perRecipient: [] },
  'sms code': { error: 'sms_rate_limited', perSender: perPhone, perRecipient: perPhone },
  // Only to the person's own address. Mail of rules is counted by sql/postgres/queries/alerts.sql.
  alert: { error: 'too_many_requests', perSender: [{ most: 100, hours: 24 }], perRecipient: [] },
  // Anyone who knows the address can request it.
  'sign-in': {
    error: 'too_many_requests',
    perSender: [],
    perRecipient: [
      { most: 5, hours: 1 },
      { most: 20, hours: 24 },
    ],
  },
  invitation: {
    error: 'too_many_requests',
    perSender: [{ most: 50, hours: 24 }],
    perRecipient: [{ most: 3, hours: 24 }],
  },
}

/** Text for descriptions of routes. */
export const invitationLimits =
  'A person can send 50 invitations in 24 hours, over all teams, and an address gets at most 3.'
export const smsLimits =
  'At most 5 text messages an hour and 10 in 24 hours are sent for an account, and to a phone that is being set up.'

/**
 * Throws 429 when an account has caused, or a recipient has received, the allowed number of messages. Messages to the sender's
 * own verified address have no per-recipient limit: otherwise a stranger who sets up the same phone could use up the limit and
 * lock its holder out.
 */
export async function refuseBeyondLimits(
  client: pg.PoolClient,
  { kind, sender, recipient, isOwn }: CountedMessage,
): Promise<void> {
  const { error, perSender, perRecipient } = limits[kind]
  const refuse = async (limit: Limit, ids: [number | null, null] | [null, string]) => {
    const values = [kind, ...ids, limit.most, limit.hours]
    const { rows } = await client.query<{ seconds: number }>('outbox/wait', values)
    if (!rows[0]) return
    const msg = `At most ${limit.most} such messages are sent ${limit.hours === 1 ? 'an hour' : `in ${limit.hours} hours`}. Try again later.`
    throw new ApiError(429, error, msg, { retryAfter: Math.max(1, rows[0].seconds) })
  }
  // Requests for different accounts count one after the other. The sender's lock always comes first, so that two requests cannot
  // wait for each other.
  const ofSender = sender === null ? [] : [`${kind} of ${sender}`]
  for (const name of [...ofSender, `${kind} to ${recipient}`])
    await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [messageLocks, name])
  for (const limit of perSender) await refuse(limit, [sender, null])
  for (const limit of isOwn ? [] : perRecipient) await refuse(limit, [null, recipient])
}

/** The first half of the numbers of the advisory locks of this file. */
const messageLocks = 7_225_010
