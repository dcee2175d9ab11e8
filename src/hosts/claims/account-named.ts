import type { Session } from '../../../platform/stores/postgres.ts'
import { UsageError } from '../../../platform/usage-error.ts'

interface AccountName {
  id: number
  name: string
}

const mostNamed = 10

/**
 * The account with an id or an e-mail address. Without one: the only host of the site, or without hosts its only admin. Throws
 * UsageError when there is no such account, or several.
 */
export async function accountNamed(postgres: Session, given: string | undefined): Promise<AccountName> {
  const { rows } = await postgres.query<AccountName & { is_host: boolean }>('claims/account', [given ?? null])
  const hosts = rows.filter(({ is_host }) => is_host)
  const [found, ...others] = given === undefined && hosts.length > 0 ? hosts : rows
  if (!found)
    throw new UsageError(
      given === undefined
        ? 'This site has no host yet. Create one with: rackrate key create --role host'
        : `There is no host or admin ${given.slice(0, 254)}.`,
    )
  if (others.length > 0)
    throw new UsageError(
      `Give the account of the claim with --account: ${[found, ...others]
        .slice(0, mostNamed)
        .map(({ id, name }) => `${id} (${name})`)
        .join(', ')}`,
    )
  return found
}
