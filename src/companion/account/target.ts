import { idOf } from '../../../contract/fields.ts'
import { allPermissions } from '../../../contract/permissions.ts'
import { forbidden, notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { covers } from '../../../platform/security/permissions.ts'
import type { Session } from '../../../platform/stores/postgres.ts'
import { proofErrors } from '../tfa/proof.ts'

/** The errors of a route that needs a target and a proof, for the OpenAPI document. */
export const targetErrors = {
  ...proofErrors,
  403: 'A key that does not allow everything: `forbidden`',
  404: 'Neither the own account nor, for an admin, any account: `not_found`. Unknown `tfa_method_id`: `not_found`',
}

/**
 * The account that a caller exports or deletes: its own, and for an admin any. The owner of a team has the team's with a key of the
 * team. Throws 404 for others, and 403 unless the key allows everything that the data is about.
 */
export async function targetOf(postgres: Session, caller: Caller, given: string): Promise<number> {
  if (!covers(caller.permissions, allPermissions)) throw forbidden('This needs a key that allows everything')
  const id = idOf(given)
  const isOwn = id === caller.accountId && (caller.kind === 'person' || (await owns(postgres, caller)))
  const query = 'SELECT FROM accounts WHERE id = $1 AND deleted_at IS NULL'
  const found = isOwn || caller.isAdmin ? (await postgres.query(query, [id ?? null])).rowCount : 0
  if (id === undefined || !found) throw notFound('There is no such account')
  return id
}

const owns = async (postgres: Session, { accountId, createdBy }: Caller): Promise<boolean> => {
  const query = 'SELECT FROM teams WHERE account_id = $1 AND owner_id = $2'
  return (await postgres.query(query, [accountId, createdBy])).rowCount === 1
}
