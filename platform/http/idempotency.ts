import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import type { Vault } from '../security/vault.ts'
import { one } from '../stores/rows.ts'

/** The header of a request that must not be executed twice. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters')
    .optional()
    .describe(
      'A unique value for each request, such as a UUID. For a day, a repeat with the same value returns the first answer and does nothing',
    ),
})

export const idempotencyErrors = {
  422: 'The `Idempotency-Key` was already used with another body: `idempotency_key_reused`',
} as const

/** The vault purpose of stored answers. */
export const answerPurpose = (apiKeyId: number): string => `idempotent answer ${apiKeyId}`

interface Repeatable {
  request: FastifyRequest
  vault: Vault
}

/**
 * Runs `work`, unless its API key has already sent a request with the same Idempotency-Key to the same operation: then it returns
 * the answer of that request. `client` runs in the transaction of `work`, so the answer is stored exactly when the work is
 * committed. Answers may contain secrets, so they are sealed, and other API keys cannot read them.
 */
export async function answerOnce<Answer>(
  client: pg.PoolClient,
  { request, vault }: Repeatable,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return work()
  const { keyId } = request.caller
  const operation = `${request.method} ${request.routeOptions.url}`
  const bodyHash = vault.fingerprint(JSON.stringify(request.body), 'idempotent body')
  const entered = await client.query<{ id: number }>('idempotency/enter', [keyId, operation, key, bodyHash])
  const id = entered.rows[0]?.id
  if (id === undefined) {
    const { rows } = await client.query<{ body_hash: Buffer; answer_sealed: Buffer }>('idempotency/read', [
      keyId,
      operation,
      key,
    ])
    const { body_hash, answer_sealed } = one(rows)
    if (!body_hash.equals(bodyHash))
      throw new ApiError(
        422,
        'idempotency_key_reused',
        'This Idempotency-Key was already used with another body',
      )
    return JSON.parse(vault.open(answer_sealed, answerPurpose(keyId))) as Answer
  }
  const answer = await work()
  const sealed = vault.seal(JSON.stringify(answer), answerPurpose(keyId))
  await client.query('UPDATE idempotent_answers SET answer_sealed = $2 WHERE id = $1', [id, sealed])
  return answer
}
