import { Secret, TOTP } from 'otpauth'
import type pg from 'pg'
import type { Vault } from '../../../platform/security/vault.ts'

/** What a TOTP secret is sealed for. */
const purpose = 'totp'
const period = 30

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32
export const sealTotpSecret = (vault: Vault, base32: string): Buffer => vault.seal(base32, purpose)

const totpOf = (base32: string, label = '') =>
  new TOTP({ issuer: 'rackrate', label, secret: Secret.fromBase32(base32), period })

/** `otpauth://totp/…`, which authenticator apps read from a QR code. */
export const provisioningUri = (base32: string, label: string): string => totpOf(base32, label).toString()

export interface TotpMethod {
  id: number
  secret_sealed: Buffer
}

/**
 * RFC 6238: six digits, 30 s, SHA-1 (what authenticator apps know), one step of drift either way. A step is good once: an old or equal
 * one is refused, whoever asks at the same time.
 */
export async function redeemTotp(
  client: pg.PoolClient,
  vault: Vault,
  { id, secret_sealed }: TotpMethod,
  code: string,
): Promise<boolean> {
  const now = Date.now()
  const drift = totpOf(vault.open(secret_sealed, purpose)).validate({
    token: code,
    timestamp: now,
    window: 1,
  })
  if (drift === null) return false
  const step = Math.floor(now / 1000 / period) + drift
  const { rowCount } = await client.query(
    'UPDATE tfa_methods SET last_step = $2 WHERE id = $1 AND (last_step IS NULL OR last_step < $2)',
    [id, step],
  )
  return rowCount === 1
}
