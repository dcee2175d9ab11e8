import { ApiError } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'

/** The person whose second factors these are. Throws 403 `team_user_forbidden` for a team's key: a team has none. */
export function personOf({ kind, accountId }: Caller): number {
  if (kind === 'team')
    throw new ApiError(403, 'team_user_forbidden', "A team's key can't manage 2FA. Use a key of your own.")
  return accountId
}

export const teamForbidden = "A team's key: `team_user_forbidden`; a key that may not do this: `forbidden`"
