import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../../platform/errors.ts'
import { newToken } from '../../../platform/security/token.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account } from '../context.ts'
import { writeMessage } from '../outbox/write.ts'
import { newCode } from './codes.ts'

/** Minutes for which a challenge is valid after its last code was sent. */
export const codeMinutes = 10
/** Seconds between two challenges for one destination, so that no mailbox is flooded. */
export const resendSeconds = 30
/** The most codes for one challenge, including the first, and for one account in an hour. */
export const mostSends = 5
const mostPerHour = 30

/** The destination of codes: the account's e-mail address, or the phone of a method. */
export interface Destination {
  /** null: e-mail */
  methodId: number | null
  channel: 'email' | 'sms'
  recipient: string
  /** True if the account has proved to hold it. */
  isOwn: boolean
}

interface Challenge {
  id: number
  method_id: number | null
  code_hash: Buffer
  sends: number
  is_expired: boolean
}

export const challengeNotFound = () =>
  new ApiError(400, 'challenge_not_found', 'There is no such 2FA challenge. Request a new code.')
const expired = () => new ApiError(400, '2fa_expired', 'The code has expired. Request a new one.')
const tooSoon = (msg: string) => new ApiError(400, 'tfa_challenge_exists', msg)

/**
 * Sends a code. Without `givenSecret` a new challenge is created; with it, the challenge of this secret gets a new code, and the old code becomes
 * invalid. Returns the secret of the challenge: a code is valid only together with it.
 */
export async function sendCode(
  account: Account,
  destination: Destination,
  givenSecret?: string,
): Promise<string> {
  const { id, client, vault } = account
  const sent = await client.query<{ sends: number }>('tfa/sends_per_hour', [id])
  if (one(sent.rows).sends >= mostPerHour)
    throw tooSoon(`${mostPerHour} codes were sent in the last hour. Try again later.`)
  const secret = givenSecret ?? newToken()
  const code = newCode()
  const codeHash = await vault.hashCode(code, secret)
  if (givenSecret === undefined) await createChallenge(account, destination.methodId, secret, codeHash)
  else await refreshChallenge(account, destination.methodId, secret, codeHash)
  await writeMessage(account, {
    kind: `${destination.channel} code`,
    sender: id,
    channel: destination.channel,
    recipient: destination.recipient,
    isOwn: destination.isOwn,
    subject: 'Your rackrate verification code',
    text: `${code} is your rackrate verification code. It is valid for ${codeMinutes} minutes. If you did not request this code, someone may have your API key. Revoke it.`,
    usefulFor: 60 * codeMinutes,
  })
  return secret
}

async function createChallenge(
  { id, client, vault }: Account,
  methodId: number | null,
  secret: string,
  codeHash: Buffer,
): Promise<void> {
  await client.query('tfa/delete_old_challenges', [id])
  const { rowCount } = await client.query('tfa/recent_challenge', [id, methodId, resendSeconds])
  if (rowCount)
    throw tooSoon(
      `A code was sent less than ${resendSeconds} seconds ago. Wait, or send its secret for a new code.`,
    )
  await client.query('tfa/create_challenge', [
    id,
    methodId,
    vault.fingerprint(secret, 'challenge'),
    codeHash,
    60 * codeMinutes,
  ])
}

async function refreshChallenge(
  account: Account,
  methodId: number | null,
  secret: string,
  codeHash: Buffer,
): Promise<void> {
  const challenge = await findChallenge(account, secret)
  if (!challenge || challenge.method_id !== methodId) throw challengeNotFound()
  if (challenge.is_expired) throw expired()
  if (challenge.sends >= mostSends)
    throw tooSoon(`${mostSends} codes were sent for this challenge. Start a new one.`)
  await account.client.query('tfa/refresh_challenge', [challenge.id, codeHash, 60 * codeMinutes])
}

/** The unused challenge of the account with this secret. */
export async function findChallenge(
  { id, client, vault }: Account,
  secret: string,
): Promise<Challenge | undefined> {
  const { rows } = await client.query<Challenge>('tfa/find_challenge', [
    id,
    vault.fingerprint(secret, 'challenge'),
  ])
  return rows[0]
}

/**
 * True if `code` was sent for this challenge of this method. A right code uses the challenge up. Throws 400 without a challenge.
 */
export async function redeemChallenge(
  account: Account,
  methodId: number | null,
  secret: string,
  code: string,
): Promise<boolean> {
  // The hash is computed first, so that every answer takes the same time.
  const hash = await account.vault.hashCode(code, secret)
  const challenge = await findChallenge(account, secret)
  if (!challenge || challenge.method_id !== methodId) throw challengeNotFound()
  if (challenge.is_expired) throw expired()
  if (!timingSafeEqual(hash, challenge.code_hash)) return false
  await account.client.query('UPDATE tfa_challenges SET used_at = rackrate_now() WHERE id = $1', [
    challenge.id,
  ])
  return true
}
