import { invalidArgs } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import type { Account } from '../../companion/context.ts'
import { verifiedEmail } from '../../companion/tfa/send-email-code.ts'
import { isAllowedAddress } from './send.ts'
import { newSecret } from './sign.ts'

interface Delivery {
  email: boolean
  webhook_url: string | null
}

interface Hook {
  privateHosts: readonly string[]
  /** The URL of the webhook before. */
  former: string | null | undefined
  /** The vault purpose of the secret. */
  purpose: string
}

/** The secret of a webhook with a new URL, plain and sealed. Throws 400 when messages must not go to the requested URL. */
export async function webhookSecret(
  account: Account,
  caller: Caller,
  { email, webhook_url }: Delivery,
  { privateHosts, former, purpose }: Hook,
): Promise<{ secret: string | null; sealed: Buffer | null }> {
  if (email) await verifiedEmail({ ...account, id: caller.createdBy })
  if (webhook_url !== null && !isAllowedAddress(webhook_url, privateHosts))
    throw invalidArgs('webhook_url must be an https address on the public internet')
  // Another receiver must not know the secret of this one.
  const secret = webhook_url !== null && webhook_url !== former ? newSecret() : null
  return { secret, sealed: secret === null ? null : account.vault.seal(secret, purpose) }
}
