import type { SqlBody } from '../../contract/sql.ts'
import type { SqlFormat } from '../../contract/sql-formats.ts'
import { hashToken, newToken } from '../../platform/security/token.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

/** Seconds that a ticket is valid. A browser uses it at once; a minute is for slow connections. */
export const ticketSeconds = 60

/** Issues a token for one download of this statement's result, with the rights of the key's holder. Only its hash is stored. */
export async function issueTicket(
  postgres: Postgres,
  keyId: number,
  { query, params, format }: SqlBody,
): Promise<string> {
  const token = newToken()
  await postgres.query('sql/issue_ticket', [hashToken(token), keyId, query, params, format, ticketSeconds])
  return token
}

/** The format of a download that has not begun. Leaves the token valid. undefined: it is unknown, used or expired. */
export async function readTicket(postgres: Postgres, token: string): Promise<SqlFormat | undefined> {
  const { rows } = await postgres.query<{ format: SqlFormat }>('sql/read_ticket', [hashToken(token)])
  return rows[0]?.format
}

/** Redeems a token, once. undefined: it is unknown, used or expired. */
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
