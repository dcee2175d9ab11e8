import type { Vault } from '../../platform/vault.ts'
import type { Credentials } from './providers.ts'

const purpose = (accountId: number) => `cloud connection of ${accountId}`

export const sealCredentials = (vault: Vault, accountId: number, credentials: object): Buffer =>
  vault.seal(JSON.stringify(credentials), purpose(accountId))

export const openCredentials = (vault: Vault, accountId: number, sealed: Buffer): Credentials =>
  JSON.parse(vault.open(sealed, purpose(accountId)))

// Shorter values are words such as a region, which a log may well hold.
const shortestSecret = 8

/** The text without any of the credentials in it. */
export function redact(text: string, credentials: Credentials): string {
  const secrets = Object.entries(credentials)
    .filter(
      ([name, value]) => !['region', 'endpoint', 'url'].includes(name) && value.length >= shortestSecret,
    )
    .map(([, value]) => value)
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text)
}
