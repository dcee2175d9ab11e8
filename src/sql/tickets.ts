import type { SqlBody } from '../../contract/sql.ts'
import { hashToken, newToken } from '../../platform/security/token.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

/** A browser follows at once; a minute is for slow connections. */
export const ticketSeconds = 60

/** A token that is good for one download of this statement's result, as whoever holds the key. Only its hash is kept. */
export async function issueTicket(
  postgres: Postgres,
  keyId: number,
  { query, params, format }: SqlBody,
): Promise<string> {
  const token = newToken()
  await postgres.query('sql/issue_ticket', [hashToken(token), keyId, query, params, format, ticketSeconds])
  return token
}

/** What a token is good for, the first time it's asked; undefined: nothing, any more or ever. */
export async function takeTicket(
  postgres: Postgres,
  token: string,
): Promise<{ accountId: number; body: SqlBody } | undefined> {
  const { rows } = await postgres.query<SqlBody & { account_id: number }>('sql/take_ticket', [
    hashToken(token),
  ])
  const [row] = rows
  if (!row) return undefined
  const { account_id: accountId, ...body } = row
  return { accountId, body }
}
