import { randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { ApiError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/security/token.ts'
import { plainTypedCode } from '../tfa/codes.ts'

/** Seconds that a link and a short code are valid. */
export const linkLifetime = 900

/** The most tries of short codes for a request. */
export const mostGuesses = 5

export const mailedBody = z.object({
  code: z
    .string()
    .max(100)
    .describe(
      'The part of the link after `#sign-in/`. With `request`: the short code, in any case, with or without its dash',
    ),
  request: z
    .string()
    .max(100)
    .optional()
    .describe('`request` from the answer to the request for the mail. Only with the short code'),
})

export const linkErrors = {
  400: '`invalid_link`: the link has expired, was used, or is not the newest one that was sent. `invalid_code`: the same of a short code, or it is wrong. `invalid_args`',
  501: 'The service sends no mail: `not_configured`',
} as const

export const notOffered = () =>
  new ApiError(501, 'not_configured', 'This service sends no mail. Sign in with an API key.')

// `<account>-<16 random bytes>`: short enough for a line of mail, so that it is not wrapped.
const pattern = /^(\d{1,10})-([0-9a-f]{32})$/

export const newLinkToken = (): string => randomBytes(16).toString('hex')

export const linkOf = (address: string, accountId: number, token: string): string =>
  `${address}/#sign-in/${accountId}-${token}`

/** The stored hash of a short code. It includes the request, since the code has 40 random bits only. */
export const hashShortCode = (request: string, code: string): Buffer =>
  hashToken(`${request}-${plainTypedCode(code)}`)

interface Person {
  id: number
  name: string
  email: string
}

/**
 * The person who was sent a code. Throws 400 unless the code is valid. A guess of a short code counts only if `client` commits,
 * so use the pool first.
 */
export const personOf = (
  client: pg.Pool | pg.PoolClient,
  { code, request }: z.infer<typeof mailedBody>,
): Promise<Person> =>
  request === undefined ? personOfLink(client, code) : personOfShortCode(client, request, code)

async function personOfShortCode(
  client: pg.Pool | pg.PoolClient,
  request: string,
  code: string,
): Promise<Person> {
  const requestHash = hashToken(request)
  // The guess is counted before it is compared: concurrent guesses cannot exceed the limit.
  const { rows } = await client.query<Person & { code_hash: Buffer }>('sign-in/guess', [
    requestHash,
    mostGuesses,
  ])
  const [row] = rows
  const isSame = timingSafeEqual(hashShortCode(request, code), row?.code_hash ?? Buffer.alloc(32))
  if (!row || !isSame)
    throw new ApiError(
      400,
      'invalid_code',
      `This code is wrong or not valid any more. After ${mostGuesses} wrong codes, ask for a new one.`,
    )
  await client.query('UPDATE sign_in_short_codes SET guesses = guesses - 1 WHERE request_hash = $1', [
    requestHash,
  ])
  return { id: row.id, name: row.name, email: row.email }
}

async function personOfLink(client: pg.Pool | pg.PoolClient, given: string): Promise<Person> {
  const [, account = '', token = ''] = pattern.exec(given) ?? []
  const id = idOf(account)
  const { rows } = await client.query<{ code_hash: Buffer; name: string; email: string }>('sign-in/find', [
    id ?? null,
  ])
  const [row] = rows
  // The comparison runs even without a stored code, so that all failures take the same time.
  const isSame = timingSafeEqual(hashToken(token), row?.code_hash ?? Buffer.alloc(32))
  if (id === undefined || !row || !isSame)
    throw new ApiError(400, 'invalid_link', 'This link is not valid any more. Ask for a new one.')
  return { id, name: row.name, email: row.email }
}
