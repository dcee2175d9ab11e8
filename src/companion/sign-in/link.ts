import { randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { ApiError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/security/token.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

/** How long a link is valid, in seconds. */
export const linkLifetime = 900

export const code = z.string().max(100).describe('Of the link: what follows `#sign-in/`')

export const linkErrors = {
  400: '`invalid_link`: the link has expired, was used, or is not the newest one that was sent. `invalid_args`',
  501: 'The service sends no mail: `not_configured`',
} as const

export const notOffered = () =>
  new ApiError(501, 'not_configured', 'This service sends no mail. Sign in with an API key.')

// `<account>-<16 random bytes>`: short enough for a line of mail, which is not wrapped then.
const pattern = /^(\d{1,10})-([0-9a-f]{32})$/

export const newLinkToken = (): string => randomBytes(16).toString('hex')

export const linkOf = (address: string, accountId: number, token: string): string =>
  `${address}/#sign-in/${accountId}-${token}`

/** The person who was sent a code. Throws 400 unless the code is valid. */
export async function personOf(
  client: pg.Pool | pg.PoolClient,
  given: string,
): Promise<{ id: number; name: string; email: string }> {
  const [, account = '', token = ''] = pattern.exec(given) ?? []
  const id = idOf(account)
  const { rows } = await client.query<{ code_hash: Buffer; name: string; email: string }>(
    loadSql('postgres/queries/sign-in/find'),
    [id ?? null],
  )
  const [row] = rows
  // Compared even when there is none, so that all failures take the same time.
  const isSame = timingSafeEqual(hashToken(token), row?.code_hash ?? Buffer.alloc(32))
  if (id === undefined || !row || !isSame)
    throw new ApiError(400, 'invalid_link', 'This link is not valid any more. Ask for a new one.')
  return { id, name: row.name, email: row.email }
}
