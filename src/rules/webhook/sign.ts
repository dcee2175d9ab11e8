import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const prefix = 'whsec_'

/** The vault purpose of secrets of alert webhooks. */
export const secretPurpose = (accountId: number) => `alert webhook of ${accountId}`

/** The vault purpose of secrets of webhooks that set prices. */
export const priceHookPurpose = (accountId: number) => `autopilot webhook of ${accountId}`

/** A secret as Standard Webhooks writes it: 32 random bytes in base64. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

export interface Signed {
  /** The id of the message: the same at every attempt. */
  id: string
  /** Unix seconds: the time of the attempt. */
  timestamp: number
  body: string
}

/** The headers of Standard Webhooks (version 1.0.0): HMAC-SHA-256 of id, time and body. */
export function signedHeaders(secret: string, { id, timestamp, body }: Signed): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
  }
}
