import { forbidden } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'

/** The team that the key acts for. Throws 403 for a person's key. */
export function teamOf({ kind, accountId }: Caller): number {
  if (kind !== 'team') throw forbidden("This takes a team's key")
  return accountId
}
