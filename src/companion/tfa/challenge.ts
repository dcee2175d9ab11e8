import { randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { ApiError } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { writeMessage } from '../outbox/write.ts'
import { newCode } from './codes.ts'

/** Challenges live 10 minutes after their last code was sent. */
const lifetime = 600
/** Seconds between two challenges for one address, so that nobody's mailbox is flooded. */
const resendInterval = 30
/** Codes that are sent for one challenge, the first included, and to one account in an hour: messages cost money and patience. */
const mostSends = 5
const mostPerHour = 30

/** Where codes go: the account's e-mail address, or a phone of a method of its own. */
export interface Destination {
  accountId: number
  /** null: e-mail */
  methodId: number | null
  channel: 'email' | 'sms'
  recipient: string
}

export const challengeNotFound = () =>
  new ApiError(400, 'challenge_not_found', 'There is no such 2FA challenge. Request a new code.')
const expired = () => new ApiError(400, '2fa_expired', 'The code has expired. Request a new one.')
const tooSoon = (msg: string) => new ApiError(400, 'tfa_challenge_exists', msg)

/**
 * Sends a code. Without `secret` a new challenge is made; with it, the same challenge gets a fresh code and the old code dies. Returns the
 * challenge's secret, which the code is only good together with. The account's row has to be locked.
 */
export async function sendCode(
  client: pg.PoolClient,
  vault: Vault,
  destination: Destination,
  given?: string,
): Promise<string> {
  await boundSends(client, destination.accountId)
  const secret = given ?? randomBytes(32).toString('hex')
  const code = newCode()
  const codeHash = await vault.hashCode(code, secret)
  if (given === undefined) await create(client, vault, destination, secret, codeHash)
  else await refresh(client, vault, destination, secret, codeHash)
  const { channel, recipient } = destination
  await writeMessage(client, vault, {
    channel,
    recipient,
    subject: 'Your rackrate verification code',
    text: `${code} is your rackrate verification code. It is good for 10 minutes. If you didn't ask for it, somebody has an API key of yours.`,
    usefulFor: lifetime,
  })
  return secret
}

async function boundSends(client: pg.PoolClient, accountId: number): Promise<void> {
  const { rows } = await client.query<{ sends: number }>(
    `SELECT coalesce(sum(sends), 0)::int AS sends FROM tfa_challenges WHERE account_id = $1 AND sent_at > now() - interval '1 hour'`,
    [accountId],
  )
  if ((rows[0]?.sends ?? 0) >= mostPerHour)
    throw tooSoon(`${mostPerHour} codes were sent in the last hour. Try again later.`)
}

async function create(
  client: pg.PoolClient,
  vault: Vault,
  { accountId, methodId }: Destination,
  secret: string,
  codeHash: Buffer,
): Promise<void> {
  await client.query(
    `DELETE FROM tfa_challenges WHERE account_id = $1 AND expires_at < now() - interval '1 day'`,
    [accountId],
  )
  const { rowCount } = await client.query(
    `SELECT FROM tfa_challenges
     WHERE account_id = $1 AND method_id IS NOT DISTINCT FROM $2 AND used_at IS NULL AND sent_at > now() - make_interval(secs => $3)`,
    [accountId, methodId, resendInterval],
  )
  if (rowCount)
    throw tooSoon(
      `A code was sent less than ${resendInterval} seconds ago. Wait, or send its secret for a fresh code.`,
    )
  await client.query(
    `INSERT INTO tfa_challenges (account_id, method_id, secret_hash, code_hash, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [accountId, methodId, vault.fingerprint(secret, 'challenge'), codeHash, lifetime],
  )
}

async function refresh(
  client: pg.PoolClient,
  vault: Vault,
  { accountId, methodId }: Destination,
  secret: string,
  codeHash: Buffer,
): Promise<void> {
  const challenge = await find(client, vault, accountId, secret)
  if (!challenge || challenge.method_id !== methodId) throw challengeNotFound()
  if (challenge.is_expired) throw expired()
  if (challenge.sends >= mostSends)
    throw tooSoon(`${mostSends} codes were sent for this challenge. Start a new one.`)
  await client.query(
    `UPDATE tfa_challenges SET code_hash = $2, sends = sends + 1, sent_at = now(), expires_at = now() + make_interval(secs => $3)
     WHERE id = $1`,
    [challenge.id, codeHash, lifetime],
  )
}

interface Challenge {
  id: number
  method_id: number | null
  code_hash: Buffer
  sends: number
  is_expired: boolean
}

/** The account's unused challenge with this secret. */
export async function find(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  secret: string,
): Promise<Challenge | undefined> {
  const { rows } = await client.query<Challenge>(
    `SELECT id, method_id, code_hash, sends, expires_at <= now() AS is_expired
     FROM tfa_challenges WHERE account_id = $1 AND secret_hash = $2 AND used_at IS NULL`,
    [accountId, vault.fingerprint(secret, 'challenge')],
  )
  return rows[0]
}

/**
 * Is `code` the one that was sent for this challenge of this method? If it is, the challenge is used up. Throws nothing: a refusal that
 * isn't a wrong code (no such challenge, expired) comes back as an error.
 */
export async function redeem(
  client: pg.PoolClient,
  vault: Vault,
  { accountId, methodId }: Pick<Destination, 'accountId' | 'methodId'>,
  secret: string,
  code: string,
): Promise<boolean | ApiError> {
  // Hashed before anything is known, so that every answer takes as long.
  const hash = await vault.hashCode(code, secret)
  const challenge = await find(client, vault, accountId, secret)
  if (!challenge || challenge.method_id !== methodId) return challengeNotFound()
  if (challenge.is_expired) return expired()
  if (!timingSafeEqual(hash, challenge.code_hash)) return false
  await client.query('UPDATE tfa_challenges SET used_at = now() WHERE id = $1', [challenge.id])
  return true
}
