import type { Credentials } from '../../../contract/copytool.ts'
import type { Vault } from '../../../platform/security/vault.ts'

export const credentialsPurpose = (accountId: number) => `cloud connection of ${accountId}`

export const sealCredentials = (vault: Vault, accountId: number, credentials: object): Buffer =>
  vault.seal(JSON.stringify(credentials), credentialsPurpose(accountId))

export const openCredentials = (vault: Vault, accountId: number, sealed: Buffer): Credentials =>
  JSON.parse(vault.open(sealed, credentialsPurpose(accountId)))

// Shorter values are words such as a region, which may appear in any log.
const shortestSecret = 6
const noSecrets = ['region', 'endpoint', 'url']

/** The texts to remove from a log: the values, and the texts inside of values that are JSON, such as OAuth tokens. Longest first. */
export function secretsOf(credentials: Credentials): string[] {
  const texts = Object.entries(credentials).flatMap(([name, value]) =>
    noSecrets.includes(name) ? [] : [value, ...leavesOf(value)],
  )
  return [...new Set(texts)]
    .filter((text) => text.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
}

function leavesOf(text: string): string[] {
  const leaves: string[] = []
  try {
    JSON.parse(text, (_name, value) => {
      if (typeof value === 'string') leaves.push(value)
      return value
    })
  } catch {
    // Most credentials are not JSON.
  }
  return leaves
}

/** `clean`: the text with the secrets replaced by ***. `held`: the end of the text if it may be the beginning of a secret. */
export function redact(text: string, secrets: string[]): { clean: string; held: string } {
  const struck = secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text)
  const beginning = Math.max(0, ...secrets.map((secret) => overlap(struck, secret)))
  return { clean: struck.slice(0, struck.length - beginning), held: struck.slice(struck.length - beginning) }
}

/** Number of characters at the end of the text that are the beginning of the secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
