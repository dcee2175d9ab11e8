import { Secret, TOTP } from 'otpauth'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Account } from '../context.ts'

/** The vault purpose of TOTP secrets. */
export const totpPurpose = 'totp'
const period = 30

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32
export const sealTotpSecret = (vault: Vault, base32: string): Buffer => vault.seal(base32, totpPurpose)

const totpOf = (base32: string, label = '') =>
  new TOTP({ issuer: 'rackrate', label, secret: Secret.fromBase32(base32), period })

/** `otpauth://totp/…`, which authenticator apps read from a QR code. */
export const provisioningUri = (base32: string, label: string): string => totpOf(base32, label).toString()

/**
 * True if a code is right by RFC 6238: six digits, 30 s, SHA-1 (which every authenticator app supports), with a drift of one
 * step. A step is accepted once: a code of the same or an earlier step is refused.
 */
export async function redeemTotp(
  { client, clock, vault }: Account,
  { id, secret_sealed }: { id: number; secret_sealed: Buffer },
  code: string,
): Promise<boolean> {
  const now = clock.now()
  const totp = totpOf(vault.open(secret_sealed, totpPurpose))
  const drift = totp.validate({ token: code, timestamp: now * 1000, window: 1 })
  if (drift === null) return false
  const step = Math.floor(now / period) + drift
  const { rowCount } = await client.query(
    'UPDATE tfa_methods SET last_step = $2 WHERE id = $1 AND (last_step IS NULL OR last_step < $2)',
    [id, step],
  )
  return rowCount === 1
}
